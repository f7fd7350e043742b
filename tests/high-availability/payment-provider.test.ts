import { expect, test } from 'vitest'
import { z } from 'zod'
import { createFakeServer, waitFor } from '@storefront/tools/testing'
import { openPaymentProvider, type PaymentProvider } from './payment-provider.ts'

const Id = z.object({ id: z.string() })

/** Opens a page to pay on, as a shop does. */
async function openPage({ env }: PaymentProvider): Promise<string> {
  const price = 'line_items[0][price_data]'
  const form = {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    [`${price}[currency]`]: 'usd',
    [`${price}[unit_amount]`]: '4000',
    [`${price}[product_data][name]`]: 'Shirt',
    'payment_intent_data[metadata][session_id]': 'payment_1',
    expires_at: String(Math.floor(Date.now() / 1000) + 3600),
    success_url: 'http://localhost:8080/thanks',
  }
  const response = await fetch(`${env['STRIPE_BASE_URL']}/v1/checkout/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${env['STRIPE_SECRET_KEY']}` },
    body: new URLSearchParams(form),
  })
  return Id.parse(await response.json()).id
}

test('a page is paid once, and its webhook is sent until the shop accepts it', async () => {
  const provider = await openPaymentProvider()
  const shop = await createFakeServer(() => ({ status: 200, body: { received: true } }))
  shop.fail('cut', /./, 1)
  shop.fail('error', /./, 1)
  try {
    const page = await openPage(provider)
    expect(['unknown', page, page].map((id) => provider.pay(id, shop.url))).toEqual([false, true, false])
    expect(provider.unsent()).toBe(1)
    await waitFor('the webhook', () => provider.unsent() === 0)
    expect(shop.calls).toEqual(Array.from({ length: 3 }, () => 'POST /webhooks/stripe'))
    expect(new Set(shop.received.map(({ body }) => Id.parse(JSON.parse(body)).id)).size).toBe(1)
    expect(provider.payments()).toMatchObject([{ sessionId: 'payment_1', isRefunded: false }])
  } finally {
    await Promise.all([provider.close(), shop.stop()])
  }
})
