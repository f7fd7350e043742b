import { z } from 'zod'
import { EventEnvelope, EVENTS, type EventDefinition, type ReceivedEvent } from '@storefront/contracts'

/** A message of a stream, which may be unreadable. */
export type StoredEvent =
  | { definition: EventDefinition; event: ReceivedEvent<unknown>; fault?: undefined }
  | { definition?: undefined; event?: ReceivedEvent<unknown> | undefined; fault: string }

/** Parses a payload in the way of its consumers, with the schemas of this version. */
export function readStoredEvent(payload: Uint8Array): StoredEvent {
  const envelope = z
    .string()
    .transform((text, context) => {
      try {
        return z.unknown().parse(JSON.parse(text))
      } catch {
        // Without the error of JSON.parse, which quotes the text and so may contain personal data.
        context.addIssue('it is not JSON')
        return z.NEVER
      }
    })
    .pipe(EventEnvelope)
    .safeParse(new TextDecoder().decode(payload))
  if (!envelope.success) return { fault: faultOf(envelope.error) }
  const definition = EVENTS.find(({ name }) => name === envelope.data.name)
  if (definition === undefined) return { event: envelope.data, fault: 'its name is unknown' }
  const data = definition.data.safeParse(envelope.data.data)
  if (!data.success) return { event: envelope.data, fault: faultOf(data.error) }
  return { definition, event: envelope.data }
}

function faultOf(error: z.ZodError): string {
  const [issue] = error.issues
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'it is invalid'}`
}
