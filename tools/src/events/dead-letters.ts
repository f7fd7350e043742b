import { JetStreamApiError, type StoredMsg } from '@nats-io/jetstream'
import { DEAD_LETTER_HEADERS } from '@storefront/messaging'
import { deadLetterStream, deadLetterSubject, EVENTS, SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { StartError } from '../start-error.ts'
import { missing, type ShopStreams } from './shop-streams.ts'
import { readStoredEvent, type StoredEvent } from './stored-event.ts'

export interface DeadLetter {
  sequence: number
  subject: string
  /** The consumer that gave up; undefined when the subject is unknown. */
  service: ServiceName | undefined
  eventName: string
  eventId: string
  /** When the consumer gave up. */
  at: string
  reason: string
  stored: StoredEvent
  payload: Uint8Array
  headers: [name: string, value: string][]
}

/** Reads the dead letters of an event and a service, or all, oldest first. */
export async function readDeadLetters(
  streams: ShopStreams,
  wanted: { event: string | undefined; service: ServiceName | undefined },
  signal: AbortSignal,
): Promise<DeadLetter[]> {
  const stream = deadLetterStream(streams.namespace)
  const { state } = await streams.manager.streams.info(stream).catch(missing(stream))
  const letters: DeadLetter[] = []
  // One by one, because there are few. A stream that was always empty reports 0 as its first sequence number.
  for (let sequence = Math.max(1, state.first_seq); sequence <= state.last_seq; sequence++) {
    if (signal.aborted) break
    const letter = await findDeadLetter(streams, sequence)
    if (letter === undefined) continue
    if (wanted.event !== undefined && letter.eventName !== wanted.event) continue
    if (wanted.service !== undefined && letter.service !== wanted.service) continue
    letters.push(letter)
  }
  return letters
}

/** @throws StartError when there is no dead letter with this sequence number */
export async function getDeadLetter(streams: ShopStreams, sequence: number): Promise<DeadLetter> {
  const letter = await findDeadLetter(streams, sequence)
  if (letter) return letter
  throw new StartError(`There is no dead letter ${sequence}: npm run events -- dead-letters lists them.`)
}

export async function removeDeadLetter(streams: ShopStreams, sequence: number): Promise<void> {
  await streams.manager.streams.deleteMessage(deadLetterStream(streams.namespace), sequence).catch((error: unknown) => {
    // Another process has removed it already.
    if (!(error instanceof JetStreamApiError)) throw error
  })
}

async function findDeadLetter(streams: ShopStreams, sequence: number): Promise<DeadLetter | undefined> {
  const { manager, namespace } = streams
  const stream = deadLetterStream(namespace)
  // null when the stream has no message with this sequence number.
  const stored = await manager.streams.getMessage(stream, { seq: sequence }).catch(missing(stream))
  return stored === null ? undefined : deadLetterOf(stored, namespace)
}

function deadLetterOf(message: StoredMsg, namespace: string): DeadLetter {
  const { seq: sequence, subject, header, data: payload } = message
  const stored = readStoredEvent(payload)
  const service = SERVICE_NAMES.find((one) => subject.startsWith(deadLetterSubject(namespace, one, '')))
  const eventName = service === undefined ? subject : subject.slice(deadLetterSubject(namespace, service, '').length)
  return {
    sequence,
    subject,
    service,
    eventName,
    eventId: stored.event?.id ?? (header.get(DEAD_LETTER_HEADERS.eventId) || '?'),
    at: header.get(DEAD_LETTER_HEADERS.at) || message.time.toISOString(),
    reason: header.get(DEAD_LETTER_HEADERS.reason),
    stored,
    payload,
    headers: header.keys().map((key) => [key, header.get(key)]),
  }
}

/** @returns why the dead letter cannot be published again, as a sentence; undefined when it can */
export function faultOfReplay(letter: DeadLetter): string | undefined {
  const { definition, fault } = letter.stored
  if (definition === undefined) {
    return `Dead letter ${letter.sequence} cannot be read (${fault}) and would become a dead letter again. Fix its publisher or consumer first, or drop it.`
  }
  if (definition.name === letter.eventName) return undefined
  const known = EVENTS.some(({ name }) => name === letter.eventName) ? letter.eventName : 'another event'
  return `Dead letter ${letter.sequence} holds ${definition.name} but was consumed as ${known}, and would become a dead letter again. Drop it.`
}
