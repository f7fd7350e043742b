import { textTable } from '../events/text-table.ts'
import { shopAddresses } from '../shop-addresses.ts'
import { StartError } from '../start-error.ts'
import { withClient } from '../with-client.ts'
import { comparePayments } from './compare-payments.ts'
import type { ProviderAccount } from './provider-account.ts'
import { razorpayAccount } from './razorpay-account.ts'
import { stripeAccount } from './stripe-account.ts'

interface PaymentsContext {
  env: NodeJS.ProcessEnv
  out: (text: string) => void
  /** References of lost payments to refund, or all of them. */
  refund: readonly string[] | 'all'
}

/**
 * Lists what the payment providers have taken and returned since a moment and the shop does not know, and refunds the
 * lost payments that `refund` names.
 * @returns how many payments are still lost, and how many refunds are not recorded
 */
export async function settlePayments(
  moment: Date,
  { env, out, refund }: PaymentsContext,
): Promise<{ lost: number; unrecorded: number }> {
  const accounts = accountsOf(env)
  if (accounts.length === 0) {
    throw new StartError('Set STRIPE_SECRET_KEY, or RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET, or both.')
  }
  const config = { connectionString: shopAddresses(env).databaseOf('orders'), application_name: 'recovery' }
  return withClient(config, async (client) => {
    const rows: string[][] = []
    const known = new Set<string>()
    let lost = 0
    let unrecorded = 0
    for (const account of accounts) {
      const found = await comparePayments(client, account, moment)
      for (const { reference } of [...found.lost, ...found.refunded]) known.add(reference)
      for (const payment of found.lost) {
        const isToRefund = refund === 'all' || refund.includes(payment.reference)
        if (isToRefund) await account.refund(payment)
        else lost++
        rows.push(rowOf(payment, isToRefund ? 'refunded now' : 'lost: refund it, or place its order'))
      }
      for (const payment of found.refunded) rows.push(rowOf(payment, 'lost, and refunded already'))
      for (const payment of found.waiting) rows.push(rowOf(payment, 'the shop finds it when its checkout ends'))
      for (const each of found.unrecordedRefunds) {
        rows.push(
          rowOf(each, `refund of ${each.paymentReference} without a record: have the provider send its webhook again`),
        )
      }
      unrecorded += found.unrecordedRefunds.length
    }
    if (rows.length === 0) out('The shop knows every payment and every refund.\n')
    else out(textTable(['PROVIDER', 'REFERENCE', 'TIME', 'MINOR UNITS', 'STATE'], rows))
    const unfound = refund === 'all' ? undefined : refund.find((reference) => !known.has(reference))
    if (unfound !== undefined) throw new StartError(`${unfound} is not a lost payment: it was not refunded.`)
    return { lost, unrecorded }
  })
}

function rowOf(
  each: { provider: string; reference: string; at: Date; amount: number; currency: string },
  state: string,
): string[] {
  const amount = `${each.amount} ${each.currency.toUpperCase()}`
  return [each.provider, each.reference, each.at.toISOString().replace('.000', ''), amount, state]
}

/** The accounts whose keys the environment has. */
function accountsOf(env: NodeJS.ProcessEnv): ProviderAccount[] {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_BASE_URL: stripeUrl,
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_BASE_URL: razorpayUrl,
  } = env
  return [
    ...(secretKey ? [stripeAccount({ baseUrl: stripeUrl || 'https://api.stripe.com', secretKey })] : []),
    ...(keyId && keySecret
      ? [razorpayAccount({ baseUrl: razorpayUrl || 'https://api.razorpay.com', keyId, keySecret })]
      : []),
  ]
}
