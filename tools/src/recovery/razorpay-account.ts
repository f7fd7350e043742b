import { z } from 'zod'
import { callProviderApi, inSeconds, type ProviderAccount } from './provider-account.ts'

const RAZORPAY = 'razorpay'
/** As many as Razorpay lists at once. */
const PAGE = 100

const Payment = z.object({
  id: z.string(),
  order_id: z.string().nullish(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  created_at: z.number(),
})

const Refund = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  created_at: z.number(),
})

const Order = z.object({ receipt: z.string().nullish() })

/** The account at Razorpay to which this key belongs. */
export function razorpayAccount(options: { baseUrl: string; keyId: string; keySecret: string }): ProviderAccount {
  const { baseUrl, keyId, keySecret } = options
  const headers = { authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}` }
  const orders = new Map<string, string>()

  async function listSince<Item extends z.ZodType>(path: string, item: Item, moment: Date) {
    const found: z.output<Item>[] = []
    let page: z.output<Item>[]
    do {
      const query = `from=${inSeconds(moment)}&count=${PAGE}&skip=${found.length}`
      const schema = z.object({ items: z.array(item) })
      page = (await callProviderApi(RAZORPAY, `${baseUrl}/v1/${path}?${query}`, { headers, schema })).items
      found.push(...page)
    } while (page.length === PAGE)
    return found
  }

  return {
    name: RAZORPAY,
    async capturedSince(moment) {
      const payments = await listSince('payments', Payment, moment)
      return payments.flatMap(({ id, order_id: order, status, amount, currency, created_at: at }) => {
        // `refunded` is a captured payment that was returned as a whole.
        if (status !== 'captured' && status !== 'refunded') return []
        if (typeof order === 'string') orders.set(id, order)
        return [{ provider: RAZORPAY, reference: id, amount, currency, at: new Date(at * 1000) }]
      })
    },
    async refundsSince(moment) {
      const refunds = await listSince('refunds', Refund, moment)
      return refunds.flatMap(({ id, payment_id: paymentReference, status, amount, currency, created_at: at }) =>
        status === 'failed'
          ? []
          : [{ provider: RAZORPAY, reference: id, paymentReference, amount, currency, at: new Date(at * 1000) }],
      )
    },
    async checkoutOf({ reference }) {
      const order = orders.get(reference)
      if (order === undefined) return undefined
      const url = `${baseUrl}/v1/orders/${encodeURIComponent(order)}`
      return (await callProviderApi(RAZORPAY, url, { headers, schema: Order })).receipt ?? undefined
    },
    async refund({ reference, amount }) {
      await callProviderApi(RAZORPAY, `${baseUrl}/v1/payments/${encodeURIComponent(reference)}/refund`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'x-refund-idempotency': `lost-${reference}` },
        body: JSON.stringify({ amount, notes: { reason: 'lost' } }),
        schema: z.object({ id: z.string() }),
      })
    },
  }
}
