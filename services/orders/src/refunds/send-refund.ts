import { transaction } from '@storefront/postgres'
import type { Clock, Log } from '@storefront/service'
import type { Database } from '../database.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import { ProviderRejection, ProviderUnavailable, type PaymentProvider } from '../payments/provider.ts'
import type { PaymentProviders } from '../payments/providers.ts'
import { REQUEST_DEADLINE_MS, withDeadline } from '../payments/with-deadline.ts'
import { FAILED_AT_PROVIDER, retryDelayMs, type StoredRefund } from './refund.ts'
import { notePendingRefund } from './refunds.queries.ts'
import { settleRefund, type RefundEnd } from './settle-refund.ts'

export interface SendContext {
  db: Database
  log: Log
  clock: Clock
  providers: PaymentProviders
}

type Outcome = RefundEnd | { status: 'pending'; reference: string | null; error: Error | null }

/** From this attempt on an unsettled refund is logged as an error. */
const QUICK_ATTEMPTS = 10

/**
 * Calls the provider for a refund, outside of any transaction, and records the result. The refund is claimed: no other
 * replica calls meanwhile, and if this process dies, the worker continues when the lease has ended.
 */
export async function sendRefund(
  { db, log, clock, providers }: SendContext,
  refund: StoredRefund,
  { actor, isReported }: { actor?: string | undefined; isReported: boolean },
): Promise<Outcome['status']> {
  const about = { refundId: refund.id, orderId: refund.orderId, provider: refund.provider, attempts: refund.attempts }
  const call = () => refundAtProvider(providers.get(refund.provider), refund)
  // Only a merchant's request is over after a few seconds, and the provider may need more.
  const outcome = await (isReported ? withDeadline(refund.provider, call, REQUEST_DEADLINE_MS) : call()).catch(late)
  if (outcome === undefined) {
    log.warn(about, 'a provider did not reply to a refund in time; its result is looked up when the lease has ended')
    return 'pending'
  }
  const now = clock.now()
  if (outcome.status !== 'pending') {
    await transaction(db, (tx) => settleRefund(tx, refund.id, outcome, { now, actor, isReported }))
    return outcome.status
  }
  const { reference, error } = outcome
  if (error !== null) {
    const level = refund.attempts >= QUICK_ATTEMPTS || !(error instanceof ProviderUnavailable) ? 'error' : 'warn'
    log[level](
      { err: error, ...about },
      'the result of a refund is unknown; it will be requested from the provider again',
    )
  }
  await transaction(db, async (tx) => {
    await lockOrder(tx, refund.orderId)
    await notePendingRefund(tx, {
      id: refund.id,
      reference,
      nextAttemptAt: new Date(now.getTime() + retryDelayMs(refund.attempts)),
      error: error === null ? null : error.message,
    })
  })
  return 'pending'
}

/** Requests a refund, or, when it may have been requested before, first looks up its result. */
async function refundAtProvider(provider: PaymentProvider | undefined, refund: StoredRefund): Promise<Outcome> {
  const { id, paymentReference, amountMinor, currency, reason, reference, attempts } = refund
  let isRunning = false
  try {
    if (!provider?.isConfigured())
      throw new Error(`${refund.provider} is not configured, so the refund cannot be requested`)
    if (paymentReference === null) throw new Error('the payment to refund is not recorded')
    const amount = { amount: amountMinor, currency }
    const toMake = { id, paymentReference, amount, reason: reason ?? undefined }
    if (attempts > 1 || reference !== null) {
      const update = await provider.inspectRefund({ ...toMake, reference })
      if (update?.status === 'failed')
        return { status: 'failed', reference: update.reference, reason: FAILED_AT_PROVIDER }
      if (update) return { status: update.status, reference: update.reference, error: null }
      // A refund with the provider's reference exists there: a new request could refund twice.
      if (reference !== null) throw new Error(`${refund.provider} does not have its refund ${reference} any more`)
    }
    isRunning = true
    const made = await provider.refund(toMake)
    return { ...made, error: null }
  } catch (error) {
    // Only a response to the refund request itself proves that nothing was refunded.
    if (isRunning && error instanceof ProviderRejection)
      return { status: 'failed', reference: null, reason: error.reason }
    return { status: 'pending', reference: null, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** `refundAtProvider` never rejects. */
const late = (): undefined => undefined
