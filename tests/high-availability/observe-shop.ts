import { z } from 'zod'
import type { RunningCluster } from '@storefront/tools/high-availability'
import { waitFor } from '@storefront/tools/testing'
import { queryAt } from '../support/query-at.ts'
import { TestClient } from '../support/test-client.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import type { Observers } from './final-state.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { registerReceiver } from './register-receiver.ts'
import type { SentMail } from './shop-state.ts'

const Login = z.looseObject({ token: z.string() })
const Products = z.looseObject({
  items: z.array(z.looseObject({ variants: z.array(z.looseObject({ id: z.string() })) })),
})

/**
 * Gives the first variants of the demo shop stock, one of them little, has buyers pay at the provider, and begins to
 * observe the shop.
 */
export async function observeShop(
  cluster: RunningCluster,
  { mails, provider }: { mails: readonly SentMail[]; provider: PaymentProvider },
  { variants, units, fewUnits }: { variants: number; units: number; fewUnits: number },
): Promise<Observers & { close: () => Promise<void> }> {
  const since = new Date()
  const admin = new TestClient(cluster.url)
  const login = await admin.post('/admin/auth/login', { email: cluster.adminEmail, password: cluster.adminPassword })
  admin.token = Login.parse(login.body).token
  const change = async (path: string, wanted: object): Promise<void> => {
    const { status, body } = await admin.call('PATCH', path, wanted)
    if (status !== 200) throw new Error(`${path} was not changed: ${status} ${JSON.stringify(body)}`)
  }
  await change('/admin/storefront', { checkout: { mode: 'redirect', provider: 'stripe' } })
  const receiver = await openWebhookReceiver(cluster.network.hostAddress)
  const { items } = Products.parse((await admin.get(`/products?per_page=${variants}`)).body)
  const variantIds = items.flatMap((product) => product.variants.slice(0, 1).map(({ id }) => id))
  for (const [index, variantId] of variantIds.entries()) {
    const quantity = index === 0 ? fewUnits : units
    await change(`/admin/variants/${variantId}/inventory`, { quantity })
  }
  const endpointId = await registerReceiver(admin, receiver)
  const database = new URL('/shop', cluster.databaseUrl).href
  return {
    admin,
    variantIds,
    endpointId,
    received: receiver.received,
    readMails: async () => [...mails],
    provider,
    // The database may still recover from a fault.
    query: <Row>(text: string, values?: unknown[]) =>
      waitFor('a reply of the database', () => queryAt<Row>(database, text, values)),
    since,
    async close() {
      // `npm run ha` starts with the same data, and has no account at the provider.
      await change('/admin/storefront', { checkout: { mode: 'demo' } }).catch(() => {})
      await receiver.close()
    },
  }
}
