import { z } from 'zod'
import { parameterValue, type Example } from './examples.ts'
import { printJson, printTypescript } from './print-value.ts'

interface CodeSample {
  lang: string
  label: string
  source: string
}

/** The parts of an operation that its samples need. */
interface SampledOperation {
  method: string
  path: string
  operation: Record<string, unknown>
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

const Parameters = z.array(z.object({ in: z.string(), name: z.string(), schema: z.unknown() })).catch([])

/** The request of an example as it is typed in a terminal, and as a call of the client. */
export function codeSamples(operation: SampledOperation, example: Example): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(operation, example) },
    { lang: 'TypeScript', label: '@storefront/client', source: clientSample(operation, example) },
  ]
}

function curlSample({ method, path }: SampledOperation, { caller, bodies, headers, ...example }: Example): string {
  const query = Object.entries(example.query).map(([name, value]) => `${name}=${encoded(value)}`)
  const address = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = example.path[name] ?? ''
    return name === '*' ? value : encoded(value)
  })
  const [[type, body] = []] = Object.entries(bodies)
  return [
    `curl "$SHOP${address}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    ...(caller === 'anonymous' ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(type === undefined ? [] : curlBody(type, body)),
  ].join(' \\\n  ')
}

function curlBody(type: string, body: unknown): string[] {
  if (type === FORM_TYPE) {
    return Object.entries(Object(body)).map(([name, value]) =>
      name === 'file' ? `-F ${quoted(`file=@${String(value)}`)}` : `-F ${quoted(`${name}=${String(value)}`)}`,
    )
  }
  const text = typeof body === 'string' ? body : printJson(body)
  return [`-H ${quoted(`content-type: ${type}`)}`, `-d ${quoted(text)}`]
}

function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/** Quotes a text for a shell, in which no character is special between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function clientSample({ method, path, operation }: SampledOperation, example: Example): string {
  const parameters = Parameters.parse(operation['parameters'])
  const typed = (place: string, given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const parameter = parameters.find((one) => one.in === place && one.name === name)
        return [name, parameterValue(parameter?.schema, value)]
      }),
    )
  const params = {
    ...(isEmpty(example.path) ? {} : { path: typed('path', example.path) }),
    ...(isEmpty(example.query) ? {} : { query: typed('query', example.query) }),
  }
  // The types of the client contain only the bodies that are described.
  const [[type, body] = []] = 'requestBody' in operation ? Object.entries(example.bodies) : []
  const options = [
    ...(isEmpty(params) ? [] : [`params: ${printTypescript(params, 2)},`]),
    ...(isEmpty(example.headers) ? [] : [`headers: ${printTypescript(example.headers, 2)},`]),
    ...(type === JSON_TYPE ? [`body: ${printTypescript(body, 2)},`] : []),
    ...(type === FORM_TYPE ? ['body: { file: [] },', 'bodySerializer: () => form,'] : []),
    ...parsing(example.replies),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.map((line) => `  ${line}`).join('\n')}\n}`
  const form = type === FORM_TYPE ? formSample(Object(body)) : ''
  return `${form}const reply = await shop.${method}(${printTypescript(path)}${given})`
}

function formSample(fields: Record<string, unknown>): string {
  const lines = Object.entries(fields).map(([name, value]) =>
    name === 'file'
      ? `form.append('file', file, ${printTypescript(value)})`
      : `form.append(${printTypescript(name)}, ${printTypescript(value)})`,
  )
  return ['const form = new FormData()', ...lines, ''].join('\n')
}

/** The client parses JSON unless another type is requested. */
function parsing(replies: Example['replies']): string[] {
  const types = Object.values(replies).flatMap((byType) => Object.keys(byType))
  if (types.includes(JSON_TYPE)) return []
  return [`parseAs: ${types.length === 0 ? "'blob'" : "'text'"},`]
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
