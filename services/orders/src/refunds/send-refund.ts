import { transaction, type Clock, type Log } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { ProviderRefusal, ProviderUnavailable, type PaymentProvider } from '../payments/provider.ts'
import type { PaymentProviders } from '../payments/providers.ts'
import { FAILED_THERE, retryDelayMs, type StoredRefund } from './refund.ts'
import { notePendingRefund } from './refunds.queries.ts'
import { settleRefund, type RefundEnd } from './settle-refund.ts'

export interface SendContext {
  db: Database
  log: Log
  clock: Clock
  providers: PaymentProviders
}

type Outcome = RefundEnd | { status: 'pending'; reference: string | null; error: Error | null }

/** From here on a refund that nobody can settle is an error of which somebody should hear. */
const PATIENT_ATTEMPTS = 10

/**
 * Has the provider give the money back, outside of any transaction, and writes down what came of it. The refund is claimed:
 * nobody else asks meanwhile, and should this process die, the worker goes on when the lease has ended.
 */
export async function sendRefund(
  { db, log, clock, providers }: SendContext,
  refund: StoredRefund,
  { actor, isAnswered }: { actor?: string | undefined; isAnswered: boolean },
): Promise<Outcome['status']> {
  const outcome = await askProvider(providers.get(refund.provider), refund)
  const now = clock.now()
  if (outcome.status !== 'pending') {
    await transaction(db, (tx) => settleRefund(tx, refund.id, outcome, { now, actor, isAnswered }))
    return outcome.status
  }
  const { reference, error } = outcome
  const about = { refundId: refund.id, orderId: refund.orderId, provider: refund.provider, attempts: refund.attempts }
  if (error !== null) {
    const level = refund.attempts >= PATIENT_ATTEMPTS || !(error instanceof ProviderUnavailable) ? 'error' : 'warn'
    log[level]({ err: error, ...about }, 'nobody knows what became of a refund, and it is tried again')
  }
  await notePendingRefund(db, {
    id: refund.id,
    reference,
    nextAttemptAt: new Date(now.getTime() + retryDelayMs(refund.attempts)),
    error: error === null ? null : error.message,
  })
  return 'pending'
}

/** Asks for money to go back, or, when it may have been asked before, first what became of that. */
async function askProvider(provider: PaymentProvider | undefined, refund: StoredRefund): Promise<Outcome> {
  const { id, paymentReference, amountMinor, currency, reason, reference, attempts } = refund
  let isAsking = false
  try {
    if (!provider?.isConfigured()) throw new Error(`${refund.provider} is not set up, and cannot be asked for a refund`)
    if (paymentReference === null) throw new Error('nobody knows the payment that is to go back')
    const amount = { amount: amountMinor, currency }
    const toMake = { id, paymentReference, amount, reason: reason ?? undefined }
    if (attempts > 1 || reference !== null) {
      const news = await provider.inspectRefund({ ...toMake, reference })
      if (news?.status === 'failed') return { status: 'failed', reference: news.reference, reason: FAILED_THERE }
      if (news) return { status: news.status, reference: news.reference, error: null }
      // What has the provider's own name was made there: asking anew could give the money back twice.
      if (reference !== null) throw new Error(`${refund.provider} does not know its refund ${reference} any more`)
    }
    isAsking = true
    const made = await provider.refund(toMake)
    return { ...made, error: null }
  } catch (error) {
    // Only the answer to the refund itself says that nothing was given back.
    if (isAsking && error instanceof ProviderRefusal) return { status: 'failed', reference: null, reason: error.reason }
    return { status: 'pending', reference: null, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
