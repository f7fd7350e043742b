import { z } from 'zod'
import { callProviderApi, inSeconds, type ProviderAccount, type ProviderPayment } from './provider-account.ts'

const STRIPE = 'stripe'
/** As many as Stripe lists at once. */
const PAGE = 100

const Metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((metadata) => metadata ?? {})

const Intent = z.object({
  id: z.string(),
  amount_received: z.int(),
  currency: z.string(),
  status: z.string(),
  created: z.number(),
  metadata: Metadata,
})

const Refund = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  created: z.number(),
  payment_intent: z.string().nullish(),
})

/** The account at Stripe to which this secret key belongs. It may be restricted to payment intents and refunds. */
export function stripeAccount({ baseUrl, secretKey }: { baseUrl: string; secretKey: string }): ProviderAccount {
  const headers = { authorization: `Bearer ${secretKey}` }
  const checkouts = new Map<string, string>()

  async function listSince<Item extends z.ZodType<{ id: string }>>(path: string, item: Item, moment: Date) {
    const found: z.output<Item>[] = []
    let after: string | undefined
    do {
      const query = new URLSearchParams({ 'created[gte]': String(inSeconds(moment)), limit: String(PAGE) })
      if (after !== undefined) query.set('starting_after', after)
      const schema = z.object({ data: z.array(item), has_more: z.boolean() })
      const page = await callProviderApi(STRIPE, `${baseUrl}/v1/${path}?${query.toString()}`, { headers, schema })
      found.push(...page.data)
      after = page.has_more ? page.data.at(-1)?.id : undefined
    } while (after !== undefined)
    return found
  }

  return {
    name: STRIPE,
    async capturedSince(moment) {
      const intents = await listSince('payment_intents', Intent, moment)
      return intents.flatMap(({ id, status, amount_received: amount, currency, created, metadata }) => {
        if (status !== 'succeeded') return []
        const { session_id: checkout } = metadata
        if (checkout !== undefined) checkouts.set(id, checkout)
        return [{ provider: STRIPE, reference: id, amount, currency, at: new Date(created * 1000) }]
      })
    },
    async refundsSince(moment) {
      const refunds = await listSince('refunds', Refund, moment)
      return refunds.flatMap(({ id, status, payment_intent: payment, amount, currency, created }) => {
        if (status === 'failed' || status === 'canceled' || typeof payment !== 'string') return []
        const at = new Date(created * 1000)
        return [{ provider: STRIPE, reference: id, paymentReference: payment, amount, currency, at }]
      })
    },
    checkoutOf: async ({ reference }) => checkouts.get(reference),
    async refund({ reference, amount }: ProviderPayment) {
      await callProviderApi(STRIPE, `${baseUrl}/v1/refunds`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `lost-${reference}` },
        body: new URLSearchParams({ payment_intent: reference, amount: String(amount), 'metadata[reason]': 'lost' }),
        schema: z.object({ id: z.string() }),
      })
    },
  }
}
