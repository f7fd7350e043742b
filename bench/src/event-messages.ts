import { z } from 'zod'

/**
 * `deleted`, `inventory` and `product` are events of one kind, `mixed` two each of the latter and one of a category.
 */
export const EventMix = z.enum(['product', 'deleted', 'inventory', 'mixed'])
export type EventMix = z.output<typeof EventMix>

/** Commands of event-writer.ts. */
export const WriterRequest = z.discriminatedUnion('command', [
  z.object({
    command: z.literal('write'),
    /** Names the events: the slug of number 7 of run `a` is `a-7`. */
    run: z.string(),
    mix: EventMix,
    perSecond: z.number().positive(),
    count: z.int().positive(),
  }),
  z.object({ command: z.literal('stop-writing'), run: z.string() }),
])
/** Number n of a run was due at `startMs + n * 1000 / perSecond`. */
export const Written = z.object({
  startMs: z.number(),
  count: z.int(),
  /** How long after it was due a commit began: what the writer itself adds to the latencies. */
  lateP50Ms: z.number(),
  lateP99Ms: z.number(),
})

/** Commands of event-receiver.ts. */
export const ReceiverRequest = z.discriminatedUnion('command', [
  z.object({ command: z.literal('url') }),
  /** From now on callers of this path wait for the response. */
  z.object({ command: z.literal('hang'), path: z.string() }),
  z.object({ command: z.literal('recover'), path: z.string() }),
  z.object({ command: z.literal('count'), run: z.string(), path: z.string() }),
  z.object({
    command: z.literal('report'),
    run: z.string(),
    path: z.string(),
    startMs: z.number(),
    perSecond: z.number(),
    count: z.int(),
  }),
])
export const ReceiverUrl = z.object({ url: z.string() })
export const ArrivalCount = z.object({ count: z.int() })
export const ArrivalReport = z.object({
  p50Ms: z.number(),
  p99Ms: z.number(),
  maxMs: z.number(),
  /** Committed and never received. */
  lost: z.int(),
  /** Received more than once. */
  duplicated: z.int(),
  lastMs: z.number(),
})
export type ArrivalReport = z.output<typeof ArrivalReport>
export const Done = z.object({})
