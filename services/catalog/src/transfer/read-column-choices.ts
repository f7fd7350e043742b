import { nearestName } from '@storefront/http'
import { CSV_FIELDS, type CsvAttributes, type CsvChoices, type CsvTarget } from '@storefront/contracts/product-csv'

export const MAX_CHOICES_CHARACTERS = 20_000
const MAX_NAME_CHARACTERS = 250
const SHOWN_CHARACTERS = 60
const SHOWN_TARGETS = 5

/**
 * Reads the parameter `columns`: a JSON object from names of columns to their meanings.
 * @returns a description of the problem if it is not valid
 */
export function readColumnChoices(text: string, attributes: CsvAttributes): CsvChoices | string {
  const given = entriesIn(text)
  if (!given) return 'must be a JSON object such as {"Preis":"Variant Price","Notiz":null}'
  const targets = new Map<string, CsvTarget>([
    ...CSV_FIELDS.map(([column]) => [column, column] as const),
    ['care', 'care'],
    ...attributes.map(({ key }) => [`specs.${key}`, `specs.${key}`] as const),
  ])
  const choices = new Map<string, CsvTarget | null>()
  const names = new Map<string, string>()
  const filled = new Map<CsvTarget, string>()
  for (const [name, meaning] of given) {
    if (!isName(name)) return `names a column that no file can have: ${shown(name)}`
    const before = names.get(name.toLowerCase())
    if (before !== undefined) return `names one column twice: ${shown(before)}, ${shown(name)}`
    names.set(name.toLowerCase(), name)
    const target = typeof meaning === 'string' ? targets.get(meaning) : undefined
    if (target === undefined && meaning !== null) return unknownMeaning(name, meaning, [...targets.keys()])
    const other = target && filled.get(target)
    if (other !== undefined) return `names two columns for ${target}: ${shown(other)}, ${shown(name)}`
    if (target !== undefined) filled.set(target, name)
    choices.set(name, target ?? null)
  }
  return choices
}

function entriesIn(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined
  } catch {
    return undefined
  }
}

/** Whether a column of a file can have this name, and an error about it can be stored. */
function isName(name: string): boolean {
  return name.length <= MAX_NAME_CHARACTERS && name.isWellFormed() && name !== '' && !/^\s|\s$|\p{Cc}/u.test(name)
}

function unknownMeaning(name: string, meaning: unknown, targets: readonly string[]): string {
  const found = typeof meaning === 'string' ? shown(meaning) : 'not a string'
  const nearest = typeof meaning === 'string' ? nearestName(meaning, targets) : undefined
  const hint =
    nearest?.isLikely === true
      ? `did you mean “${nearest.name}”?`
      : `valid meanings are ${targets.slice(0, SHOWN_TARGETS).join(', ')}, …`
  return `has an unknown meaning for ${shown(name)}: ${found}; ${hint}`
}

function shown(text: string): string {
  const plain = text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')
  return `“${plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}…` : plain}”`
}
