import type { ClientBase } from 'pg'
import * as queries from './lost-payments.queries.ts'
import type { ProviderAccount, ProviderPayment, ProviderRefund } from './provider-account.ts'

/** The clocks of provider and database may differ, and a payment is older than its transaction in the shop. */
const MARGIN_MS = 10 * 60_000

/** Finds what a provider knows and the restored database does not, since the moment to which it was restored. */
export async function comparePayments(client: ClientBase, account: ProviderAccount, moment: Date) {
  const since = new Date(moment.getTime() - MARGIN_MS)
  const [payments, refunds] = await Promise.all([account.capturedSince(since), account.refundsSince(since)])
  const recorded = await queries.recordedPayments(client, payments)
  const others = payments.filter((payment) => !recorded.has(keyOf(payment)))
  // A checkout can have been paid twice.
  const ofShop: { checkout: string; payment: ProviderPayment }[] = []
  for (const payment of others) {
    const checkout = await account.checkoutOf(payment)
    // Without one the payment is not of a shop: the account may be used for other things too.
    if (checkout !== undefined) ofShop.push({ checkout, payment })
  }
  const known = await queries.knownCheckouts(
    client,
    ofShop.map(({ checkout }) => checkout),
  )
  const paymentsOf = (areKnown: boolean): ProviderPayment[] =>
    ofShop.filter(({ checkout }) => known.has(checkout) === areKnown).map(({ payment }) => payment)
  // What is lost is the part that was not refunded.
  const lost = paymentsOf(false).map((payment) => ({ ...payment, amount: payment.amount - returned(payment, refunds) }))
  return {
    /** Of checkouts that the shop no longer knows: a person has to refund them, or to place their orders. */
    lost: lost.filter(({ amount }) => amount > 0),
    /** Of checkouts that the shop knows: it looks them up when they end, and places their orders. */
    waiting: paymentsOf(true),
    /** Of lost checkouts, refunded already. */
    refunded: paymentsOf(false).filter((payment) => returned(payment, refunds) >= payment.amount),
    /** Refunds of payments of the shop that it has no record of. */
    unrecordedRefunds: await unrecordedOf(client, refunds),
  }
}

function returned({ reference }: ProviderPayment, refunds: readonly ProviderRefund[]): number {
  const ofPayment = refunds.filter(({ paymentReference }) => paymentReference === reference)
  return ofPayment.reduce((sum, { amount }) => sum + amount, 0)
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
