import type { JsMsg } from '@nats-io/jetstream'
import { eventsStream, type EventDefinition, type ReceivedEvent } from '@storefront/contracts'
import { StartError } from '../start-error.ts'
import type { TransferProgress } from '../transfer/transfer-progress.ts'
import type { EventArguments } from './event-arguments.ts'
import { filterOf, readStream } from './read-stream.ts'
import { isTooOld, MAX_REPLAY_AGE_MS, republisher } from './publish-again.ts'
import { missing, type ShopStreams } from './shop-streams.ts'
import { readStoredEvent } from './stored-event.ts'
import type { RunContext } from './terminal.ts'
import { textTable } from './text-table.ts'

/** Events that are published before waiting for their acknowledgements. */
const BATCH = 200

interface ReplayContext extends Omit<RunContext, 'env'> {
  progress: TransferProgress
}

type Span = Pick<EventArguments, 'event' | 'service' | 'id' | 'from' | 'to'>

interface Stored {
  message: JsMsg
  event: ReceivedEvent<unknown>
  definition: EventDefinition
}

/** Publishes the events of a span of time again. @returns how many */
export async function replayEvents(
  streams: ShopStreams,
  wanted: Span & Pick<EventArguments, 'dryRun' | 'yes'>,
  context: ReplayContext,
): Promise<number> {
  const { terminal, progress, signal } = context
  const span = checkedSpan(wanted, context.now)
  const plan = await planReplay(streams, span, context)
  if (signal.aborted) {
    terminal.out('Stopped before any event was published.\n')
    return 0
  }
  terminal.out(plan.text)
  if (plan.total === 0 || wanted.dryRun) return 0
  if (!wanted.yes && !(await terminal.confirm(`Publish ${countOf(plan.total)} again?`, signal))) return 0
  const publishAgain = republisher(streams)
  let done = 0
  let isComplete = false
  let reachedAt = span.from
  let batch: Stored[] = []
  const send = async (): Promise<void> => {
    if (batch.length === 0) return
    await Promise.all(
      batch.map(({ message, event, definition }) => publishAgain(event, definition, message.data, String(message.seq))),
    )
    done += batch.length
    reachedAt = batch.at(-1)?.message.time ?? reachedAt
    batch = []
    progress.reached('published again', done, plan.total)
  }
  try {
    for await (const stored of storedEvents(streams, { ...span, lastSequence: plan.lastSequence }, context)) {
      batch.push(stored)
      if (batch.length >= BATCH) await send()
      if (signal.aborted) break
    }
    await send()
    isComplete = !signal.aborted || done === plan.total
  } finally {
    progress.end()
    terminal.out(
      isComplete
        ? `${countOf(done)} published again.\n`
        : `Stopped after ${done.toLocaleString('en-US')} of ${countOf(plan.total)}. Remaining: --from ${reachedAt.toISOString()} --to ${span.to.toISOString()}\n`,
    )
  }
  return done
}

function checkedSpan(wanted: Span, now: Date): Span & { from: Date; to: Date } {
  const earliest = new Date(now.getTime() - MAX_REPLAY_AGE_MS)
  const { from = earliest, to = now } = wanted
  if (from < earliest) {
    throw new StartError(
      `--from is before ${earliest.toISOString()}: the stream keeps seven days, and consumers keep receipts for fourteen. An older event might take effect twice.`,
    )
  }
  if (from >= to) throw new StartError('--from must be before --to.')
  return { ...wanted, from, to }
}

interface Plan {
  text: string
  total: number
  /** The end of the stream when the plan was made: events that are published again must not be found again. */
  lastSequence: number
}

async function planReplay(
  streams: ShopStreams,
  span: Span & { from: Date; to: Date },
  context: ReplayContext,
): Promise<Plan> {
  const stream = eventsStream(streams.namespace)
  const { state } = await streams.manager.streams.info(stream).catch(missing(stream))
  const lastSequence = state.last_seq
  const counts = new Map<EventDefinition, { count: number; first: string; last: string }>()
  const skipped: string[] = []
  let total = 0
  const found = storedEvents(streams, { ...span, lastSequence }, context, (message, why) => {
    skipped.push(`message ${message.seq} (${why})`)
  })
  for await (const { event, definition } of found) {
    const known = counts.get(definition)
    counts.set(definition, { count: (known?.count ?? 0) + 1, first: known?.first ?? event.at, last: event.at })
    total += 1
  }
  const rows = [...counts].map(([{ name, consumers }, { count, first, last }]) => [
    name,
    String(count),
    first,
    last,
    consumers.join(', '),
  ])
  const table = total === 0 ? 'There is no event in this span.\n' : textTable(HEAD, rows)
  const more = skipped.length > 5 ? ` and ${skipped.length - 5} more` : ''
  const skippedLine = skipped.length === 0 ? '' : `Skipped: ${skipped.slice(0, 5).join(', ')}${more}.\n`
  return { text: table + skippedLine, total, lastSequence }
}

const HEAD = ['EVENT', 'COUNT', 'FIRST', 'LAST', 'CONSUMED BY']

/** Each event of the span once, oldest first, even if it was published again and so is in the stream twice. */
async function* storedEvents(
  streams: ShopStreams,
  span: Span & { from: Date; to: Date; lastSequence: number },
  { signal, now }: ReplayContext,
  skip: (message: JsMsg, why: string) => void = () => {},
): AsyncGenerator<Stored> {
  const seen = new Set<string>()
  const messages = readStream(streams, {
    stream: eventsStream(streams.namespace),
    filter: filterOf(streams.namespace, span.event, span.service),
    from: span.from,
    bounded: true,
    signal,
  })
  for await (const message of messages) {
    if (message.seq > span.lastSequence || message.time > span.to) return
    const { event, definition, fault } = readStoredEvent(message.data)
    if (span.id !== undefined && event?.id !== span.id) continue
    if (span.service !== undefined && definition !== undefined && definition.from !== span.service) continue
    if (definition === undefined) skip(message, fault)
    else if (seen.has(event.id)) continue
    else if (isTooOld(event, now)) skip(message, 'older than seven days')
    else {
      seen.add(event.id)
      yield { message, event, definition }
    }
  }
}

export function countOf(events: number): string {
  return events === 1 ? '1 event' : `${events.toLocaleString('en-US')} events`
}
