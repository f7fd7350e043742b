import type { ClientBase } from 'pg'
import * as queries from './lost-payments.queries.ts'
import type { ProviderAccount, ProviderPayment, ProviderRefund } from './provider-account.ts'

/** The clocks of provider and database may differ, and a payment is older than its transaction in the shop. */
const MARGIN_MS = 10 * 60_000

export interface ComparedPayments {
  /** Of checkouts that the shop does not know any more: a person has to refund them, or to place their orders. */
  lost: ProviderPayment[]
  /** Of checkouts that the shop knows: it looks them up when they end, and places their orders. */
  waiting: ProviderPayment[]
  /** Of lost checkouts, returned already. */
  refunded: ProviderPayment[]
  /** Refunds of payments of the shop that it has no record of. */
  unrecordedRefunds: ProviderRefund[]
}

/** Finds what a provider knows and the restored database does not, since the moment to which it was restored. */
export async function comparePayments(
  client: ClientBase,
  account: ProviderAccount,
  moment: Date,
): Promise<ComparedPayments> {
  const since = new Date(moment.getTime() - MARGIN_MS)
  const [payments, refunds] = await Promise.all([account.capturedSince(since), account.refundsSince(since)])
  const recorded = await queries.recordedPayments(client, payments)
  const others = payments.filter((payment) => !recorded.has(keyOf(payment)))
  const checkouts = new Map<string, ProviderPayment>()
  for (const payment of others) {
    const checkout = await account.checkoutOf(payment)
    // Without one the payment is not of a shop: the account may be used for other things too.
    if (checkout !== undefined) checkouts.set(checkout, payment)
  }
  const known = await queries.knownCheckouts(client, [...checkouts.keys()])
  const returned = new Set(refunds.map(({ paymentReference }) => paymentReference))
  const unknown = [...checkouts].flatMap(([checkout, payment]) => (known.has(checkout) ? [] : [payment]))
  return {
    lost: unknown.filter(({ reference }) => !returned.has(reference)),
    waiting: [...checkouts].flatMap(([checkout, payment]) => (known.has(checkout) ? [payment] : [])),
    refunded: unknown.filter(({ reference }) => returned.has(reference)),
    unrecordedRefunds: await unrecordedOf(client, refunds),
  }
}

async function unrecordedOf(client: ClientBase, refunds: readonly ProviderRefund[]): Promise<ProviderRefund[]> {
  const ofShop = await queries.recordedPayments(
    client,
    refunds.map((refund) => ({ ...refund, reference: refund.paymentReference })),
  )
  const recorded = await queries.recordedRefunds(client, refunds)
  return refunds.filter(
    (refund) => ofShop.has(`${refund.provider} ${refund.paymentReference}`) && !recorded.has(keyOf(refund)),
  )
}

function keyOf({ provider, reference }: { provider: string; reference: string }): string {
  return `${provider} ${reference}`
}
