const WIDTH = 88

interface Style {
  text: (value: string) => string
  key: (name: string) => string
  /** After the last element of a value on several lines. */
  lastComma: string
}

const JSON_STYLE: Style = {
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  lastComma: '',
}
const TYPESCRIPT_STYLE: Style = {
  text: singleQuoted,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleQuoted(name)),
  lastComma: ',',
}

/** Prints JSON for people: on one line if it fits, or else indented. */
export function printJson(value: unknown): string {
  return print(value, 0, JSON_STYLE)
}

/**
 * Prints a value as TypeScript, on one line if it fits, or else indented.
 * @param indent number of spaces before the line on which the value begins
 */
export function printTypescript(value: unknown, indent = 0): string {
  return print(value, indent, TYPESCRIPT_STYLE)
}

function print(value: unknown, indent: number, style: Style): string {
  const line = onOneLine(value, style)
  if (line.length + indent <= WIDTH || typeof value !== 'object' || value === null) return line
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((element) => print(element, indent + 2, style))
    : Object.entries(value).map(([key, inner]) => `${style.key(key)}: ${print(inner, indent + 2, style)}`)
  const lines = parts.map((part) => `${' '.repeat(indent + 2)}${part}`)
  return `${open}\n${lines.join(',\n')}${style.lastComma}\n${' '.repeat(indent)}${close}`
}

function onOneLine(value: unknown, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (Array.isArray(value)) return `[${value.map((element) => onOneLine(element, style)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([key, inner]) => `${style.key(key)}: ${onOneLine(inner, style)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function singleQuoted(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
  return `'${escaped.replaceAll("'", String.raw`\'`)}'`
}
