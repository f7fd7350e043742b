import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { pictureExamples } from './picture-examples.ts'

const Texts = z.record(z.string(), z.string())

/** A request to an operation of a demo shop, and the response; `npm run examples` records it. */
export const Example = z.object({
  caller: z.enum(['anonymous', 'customer', 'admin']),
  path: Texts,
  query: Texts,
  headers: Texts,
  /** By content type. */
  bodies: z.record(z.string(), z.unknown()),
  /** By status, then by content type. */
  replies: z.record(z.string(), z.record(z.string(), z.unknown())),
})
export type Example = z.output<typeof Example>

const FOLDER = resolve(import.meta.dirname, '../../examples')

/** @returns the recorded examples by the name of their operation */
export function readExamples(): ReadonlyMap<string, Example> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
  return new Map(
    names.map((name) => [
      name.slice(0, -'.json'.length),
      Example.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))),
    ]),
  )
}

const ParameterSchema = z.looseObject({ type: z.unknown().optional() })
const NUMERIC = new Set<unknown>(['integer', 'number'])

/** @returns a parameter with the type of its schema: in a URL everything is text */
export function parameterValue(schema: unknown, text: string): string | number {
  return NUMERIC.has(ParameterSchema.safeParse(schema).data?.type) ? Number(text) : text
}

const Content = z.record(z.string(), z.looseObject({}))
const Described = z.looseObject({
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string(), schema: z.unknown() })).optional(),
  requestBody: z.looseObject({ content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content.optional() })).optional(),
})

/** Adds the example to the parameters, the bodies and the successes of an operation. */
export function withExamples(operation: Record<string, unknown>, example: Example): Record<string, unknown> {
  const { parameters, requestBody, responses, ...others } = Described.parse(operation)
  const given: Record<string, Record<string, string>> = {
    path: example.path,
    query: example.query,
    header: example.headers,
  }
  return {
    ...others,
    ...(parameters && {
      parameters: parameters.map((parameter) => {
        const value = given[parameter.in]?.[parameter.name]
        return value === undefined ? parameter : { ...parameter, example: parameterValue(parameter.schema, value) }
      }),
    }),
    ...(requestBody && { requestBody: { ...requestBody, content: withBodies(requestBody.content, example.bodies) } }),
    ...(responses && {
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          response.content ? { ...response, content: withReplies(response.content, example, status) } : response,
        ]),
      ),
    }),
  }
}

function withBodies(content: z.output<typeof Content>, bodies: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, { ...media, ...exampleOf(bodies[type]) }]),
  )
}

/** The bytes of a PDF do not fit into JSON. */
const PDF_EXAMPLES = {
  document: { summary: 'A PDF with the content that is described above.', value: '(the bytes of a PDF)' },
}

/** Images are not recorded: their example is the path of one. */
function withReplies(content: z.output<typeof Content>, { path, replies }: Example, status: string) {
  const { '*': picture } = path
  const described = Object.entries(content).map(([type, media]) => {
    if (type === 'application/pdf') return [type, { ...media, examples: PDF_EXAMPLES }]
    const isPicture = picture !== undefined && type.startsWith('image/')
    return [type, isPicture ? { ...media, examples: pictureExamples(type, picture) } : media]
  })
  return withBodies(Content.parse(Object.fromEntries(described)), replies[status] ?? {})
}

function exampleOf(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value }
}
