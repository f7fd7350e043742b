import { z } from 'zod'
import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Moment, OpaqueId, PeriodEnd, type Actor } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import type { Database, Tx } from '../database.ts'
import {
  periodEndsBeforeItBegins,
  deliveryNotFound,
  endpointDeleted,
  endpointDisabled,
  endpointNotFound,
} from '../errors.ts'
import {
  endpointState,
  findReplayPosition,
  lockSpan,
  queueAgain,
  type ReplayPosition,
  type ReplaySpan,
} from './replays.queries.ts'

/** The maximum number that one call replays. */
const MAX_REPLAYED = 10_000
/** Per transaction, so that the queue never waits for long. */
const BATCH = 500

const Replay = z.object({
  from: Moment.describe(
    'Deliveries that were queued at this time or later; a date means the beginning of that day in UTC.',
  ),
  to: PeriodEnd.describe('Deliveries that were queued before this time; a date means the end of that day in UTC.'),
  endpointId: OpaqueId.optional().describe('Only those to this endpoint; to all enabled ones if omitted.'),
  types: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(50)
    .optional()
    .describe('Only events of these types; of every type if omitted.'),
  statuses: z
    .array(z.enum(['delivered', 'dead', 'superseded']))
    .min(1)
    .max(3)
    .default(['dead', 'delivered'])
    .describe('Only deliveries with these statuses; `dead` and `delivered` if omitted.'),
  // Without it, deliveries that were replayed and delivered again would be found again.
  after: OpaqueId.optional().describe('`next` of the previous response, to continue after it.'),
})

export function replayDeliveriesRoute(app: App, context: NotifierContext): void {
  app.post('/admin/webhooks/deliveries/replay', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Replay the webhook deliveries of a period',
      description: `Oldest first and without tests, at most ${MAX_REPLAYED} in one call. While \`more\` is true, repeat the call with \`after\` set to \`next\`.`,
      body: Replay,
      response: {
        200: z.object({
          replayed: z.int().describe('How many were queued again by this call.'),
          more: z.boolean().describe('Whether the period has more deliveries after them.'),
          next: z.string().nullable().describe('Id of the last one, for `after`; null if there are no more.'),
        }),
      },
    },
    handler: async ({ body, actor }) => {
      const { from, to, endpointId, types, statuses, after } = body
      const span = { from: new Date(from), to: new Date(to), endpointId, types, statuses }
      if (span.to < span.from) throw periodEndsBeforeItBegins()
      if (endpointId !== undefined) await requireEnabledEndpoint(context.db, endpointId)
      const position = after === undefined ? undefined : await findReplayPosition(context.db, after)
      if (after !== undefined && !position) throw deliveryNotFound()
      return replaySpan(context, span, position, actor)
    },
  })
}

async function requireEnabledEndpoint(db: Database, endpointId: string): Promise<void> {
  const endpoint = await endpointState(db, endpointId)
  if (!endpoint) throw endpointNotFound()
  if (endpoint.deleted) throw endpointDeleted()
  if (!endpoint.enabled) throw endpointDisabled()
}

/** In several transactions: when one fails, those before it are queued, and the caller may start again. */
async function replaySpan(
  { db, clock, deliver }: NotifierContext,
  span: ReplaySpan,
  after: ReplayPosition | undefined,
  actor: Actor,
): Promise<{ replayed: number; more: boolean; next: string | null }> {
  let last = after
  let replayed = 0
  let more = true
  while (more && replayed < MAX_REPLAYED) {
    const batch = await transaction(db, async (tx) => {
      // One more than is queued shows whether there are more.
      const found = await lockSpan(tx, span, last, BATCH + 1)
      const queued = found.slice(0, BATCH)
      await queueAgain(
        tx,
        queued.map(({ id }) => id),
        clock.now(),
      )
      if (queued.length > 0) await recordReplay(tx, span, { deliveries: queued.length, actor, at: clock.now() })
      return { queued, more: found.length > BATCH }
    })
    deliver()
    replayed += batch.queued.length
    more = batch.more
    last = batch.queued.at(-1) ?? last
  }
  return { replayed, more, next: more ? (last?.id ?? null) : null }
}

async function recordReplay(
  tx: Tx,
  { from, to, endpointId, types, statuses }: ReplaySpan,
  { deliveries, actor, at }: { deliveries: number; actor: Actor; at: Date },
): Promise<void> {
  const subject = { kind: 'delivery' as const, id: endpointId ?? 'all' }
  const span = { from: from.toISOString(), to: to.toISOString(), types, statuses }
  await recordAction(tx, { actor, action: 'replay', subject, after: { deliveries, ...span }, at })
}
