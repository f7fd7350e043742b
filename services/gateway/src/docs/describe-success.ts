import { z } from 'zod'

/** The framework plugin's description of a response without one. */
const UNDESCRIBED = 'Default Response'
const SCHEMAS = '#/components/schemas/'

const Reference = z.object({ $ref: z.string().startsWith(SCHEMAS) })
const ListOf = z.object({ properties: z.object({ items: z.object({ items: Reference }) }) })
const Done = z.object({ properties: z.strictObject({ ok: z.unknown() }) })
const Response = z.looseObject({
  description: z.string().default(UNDESCRIBED),
  content: z.record(z.string(), z.object({ schema: z.unknown() })).optional(),
})

/** Describes a success in a sentence, from its schema, if its route does not. */
export function describeSuccess(status: string, response: unknown): unknown {
  const parsed = Response.safeParse(response)
  if (!parsed.success || parsed.data.description !== UNDESCRIBED) return response
  return { ...parsed.data, description: sentenceFor(status, parsed.data.content) }
}

function sentenceFor(status: string, content: z.output<typeof Response>['content']): string {
  if (status === '304') return 'Nothing has changed since the `ETag` that `If-None-Match` names.'
  const [type = '', { schema } = {}] = Object.entries(content ?? {})[0] ?? []
  if (type.startsWith('image/')) return 'The picture.'
  if (type === 'application/pdf') return 'The document.'
  if (type !== 'application/json') return 'The text.'
  const named = Reference.safeParse(schema)
  if (named.success) return `The \`${nameOf(named.data.$ref)}\`.`
  const list = ListOf.safeParse(schema)
  if (list.success) return `A list of \`${nameOf(list.data.properties.items.items.$ref)}\`.`
  if (Done.safeParse(schema).success) return 'The operation was successful.'
  return status === '202' ? 'It was accepted and continues in the background.' : 'The result.'
}

function nameOf(reference: string): string {
  return reference.slice(SCHEMAS.length)
}
