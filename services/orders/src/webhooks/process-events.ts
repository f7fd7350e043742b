import { processJobs } from '@storefront/jobs'
import { MINUTE_MS, type Timer } from '@storefront/service'
import type { OrdersContext } from '../context.ts'
import type { PaymentUpdate, RefundUpdate } from '../payments/provider.ts'
import { isTemporary, outcomeOf, outcomeOfFailure, type HandlingResult } from './event-outcome.ts'
import { claimEvents, noteOutcome, type ClaimedEvent, type EventOutcome } from './webhooks.queries.ts'

/** Concurrent events in one process: each takes a connection of the pool now and then, and some are left for buyers. */
const AT_ONCE = 8
/** The polling interval, for events that another replica left behind and for retries. */
const SWEEP_MS = 1000
/**
 * Far longer than one event takes: every request, statement and lock has a deadline of seconds. When a replica dies
 * the next one starts after this.
 */
export const LEASE_MS = MINUTE_MS

/** The handlers of updates. Both must accept the same update again, and in any order. */
export interface UpdateHandlers {
  applyPaymentUpdate(
    context: OrdersContext,
    update: PaymentUpdate,
  ): Promise<{ kind: 'order' | 'session' | 'surplus' | 'unknown' }>
  applyRefundUpdate(context: OrdersContext, update: RefundUpdate): Promise<{ kind: 'noted' | 'unknown' }>
}

/**
 * Processes the stored events of providers, several at once and none twice at the same time. Every replica does so;
 * leases separate them. No transaction stays open meanwhile: an event whose process dies halfway is processed again.
 */
export function processEvents(context: OrdersContext, handlers: UpdateHandlers): Timer {
  const { db, log, clock, providers } = context
  return processJobs({
    name: 'provider events',
    log,
    everyMs: SWEEP_MS,
    atOnce: AT_ONCE,
    async claim(limit) {
      const now = clock.now()
      return claimEvents(db, { now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit })
    },
    // When this throws, the event is processed again after its lease, which changes nothing.
    run: processEvent,
    about: ({ provider, eventId }) => ({ provider, eventId }),
  })

  async function processEvent(event: ClaimedEvent): Promise<void> {
    const outcome = await outcomeOfWork(event)
    if (await noteOutcome(db, event, outcome)) return
    log.warn(
      { provider: event.provider, eventId: event.eventId },
      'processing a provider event took longer than its lease; another replica processes it as well',
    )
  }

  async function outcomeOfWork(event: ClaimedEvent): Promise<EventOutcome> {
    const { provider, eventId, type } = event
    try {
      const outcome = outcomeOf(event, await handle(event), clock.now())
      if (outcome.status === 'done' && outcome.note !== null)
        log.info({ provider, eventId, type, note: outcome.note }, 'a provider event changes nothing')
      return outcome
    } catch (error) {
      const outcome = outcomeOfFailure(event, error, clock.now())
      const about = { err: error, provider, eventId, type, attempts: outcome.attempts }
      if (outcome.status === 'failed')
        log.error(
          about,
          'a provider event failed too often: fix the cause, then POST /admin/reconciliation { "retryWebhooks": true }',
        )
      else if (isTemporary(error)) log.warn(about, 'a provider event waits for a dependency that is unavailable')
      else log.warn(about, 'a provider event could not be processed and is retried')
      return outcome
    }
  }

  async function handle(event: ClaimedEvent): Promise<HandlingResult> {
    const provider = providers.get(event.provider)
    if (!provider) throw new Error(`provider ${event.provider} does not exist any more`)
    const update = provider.readWebhook(event.payload)
    if (update === undefined) return 'not_ours'
    const result =
      update.kind === 'payment'
        ? await handlers.applyPaymentUpdate(context, update)
        : await handlers.applyRefundUpdate(context, update)
    return result.kind === 'unknown' ? `unknown_${update.kind}` : 'handled'
  }
}
