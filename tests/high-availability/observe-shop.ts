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

export interface ObservedShop extends Observers {
  /** The variants with more units than buyers will want. */
  plentifulIds: readonly string[]
  /** Variants that no buyer wants yet: one for each fault. */
  scarceIds: readonly string[]
  /** Sets the stock of all scarce variants. */
  stockScarce: (units: number) => Promise<void>
  close: () => Promise<void>
}

/**
 * Gives the first variants of the demo shop more stock than buyers will want, has buyers pay at the provider, and begins
 * to observe the shop.
 */
export async function observeShop(
  cluster: RunningCluster,
  { mails, provider }: { mails: readonly SentMail[]; provider: PaymentProvider },
  { plentiful, units, scarce }: { plentiful: number; units: number; scarce: number },
): Promise<ObservedShop> {
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
  const { items } = Products.parse((await admin.get('/products?per_page=100')).body)
  const plentifulIds = items.slice(0, plentiful).flatMap((product) => product.variants.slice(0, 1).map(({ id }) => id))
  const others = items.slice(plentiful).flatMap((product) => product.variants.map(({ id }) => id))
  const scarceIds = others.slice(0, scarce)
  const stock = async (variantIds: readonly string[], quantity: number): Promise<void> => {
    for (const variantId of variantIds) await change(`/admin/variants/${variantId}/inventory`, { quantity })
  }
  await stock(plentifulIds, units)
  const endpointId = await registerReceiver(admin, receiver)
  const database = new URL('/shop', cluster.databaseUrl).href
  return {
    admin,
    variantIds: [...plentifulIds, ...scarceIds],
    plentifulIds,
    scarceIds,
    stockScarce: (few) => stock(scarceIds, few),
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
