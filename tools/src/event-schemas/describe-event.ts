import { createHash } from 'node:crypto'
import { z } from 'zod'
import { EventEnvelope, type EventDefinition } from '@storefront/contracts'

const ADDRESS = 'https://json-schema.org/draft/2020-12/schema'

/** @returns the JSON Schema of an event in its envelope, as the text of a file */
export function describeEvent(event: EventDefinition): string {
  const envelope = EventEnvelope.extend({ name: z.literal(event.name), data: event.data })
  return describe(envelope, { title: event.name, description: `Published by ${event.from}.` })
}

/** @returns the JSON Schema of the body of a webhook, as the text of a file */
export function describeWebhook(type: string, payload: z.ZodType): string {
  return describe(payload, { title: type, description: 'The body of a webhook.' })
}

function describe(shape: z.ZodType, remarks: { title: string; description: string }): string {
  const { $schema: _address, ...schema } = z.toJSONSchema(shape, {
    io: 'output',
    override: ({ jsonSchema }) => {
      // A later shape may have more fields: consumers ignore unknown ones.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      // The pattern repeats the format in two hundred unreadable characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return `${JSON.stringify({ $schema: ADDRESS, ...remarks, ...schema }, null, 2)}\n`
}

/** A short hash of a schema, for the list of published shapes. It does not depend on the layout of the file. */
export function digestOf(schemaText: string): string {
  return createHash('sha256')
    .update(JSON.stringify(JSON.parse(schemaText)))
    .digest('hex')
    .slice(0, 16)
}
