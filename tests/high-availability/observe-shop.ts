import { z } from 'zod'
import type { RunningCluster } from '@storefront/tools/high-availability'
import { waitFor } from '@storefront/tools/testing'
import { queryAt } from '../support/query-at.ts'
import { TestClient } from '../support/test-client.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import type { Observers } from './final-state.ts'
import type { MailCollector } from './mail-collector.ts'
import { registerReceiver } from './register-receiver.ts'

const Login = z.looseObject({ token: z.string() })
const Products = z.looseObject({
  items: z.array(z.looseObject({ variants: z.array(z.looseObject({ id: z.string() })) })),
})

/** Gives the first variants of the demo shop stock, one of them little, and begins to observe them. */
export async function observeShop(
  cluster: RunningCluster,
  { mails }: Pick<MailCollector, 'mails'>,
  { variants, units, fewUnits }: { variants: number; units: number; fewUnits: number },
): Promise<Observers & { close: () => Promise<void> }> {
  const since = new Date()
  const admin = new TestClient(cluster.url)
  const login = await admin.post('/admin/auth/login', { email: cluster.adminEmail, password: cluster.adminPassword })
  admin.token = Login.parse(login.body).token
  const receiver = await openWebhookReceiver(cluster.network.hostAddress)
  const { items } = Products.parse((await admin.get(`/products?per_page=${variants}`)).body)
  const variantIds = items.flatMap((product) => product.variants.slice(0, 1).map(({ id }) => id))
  for (const [index, variantId] of variantIds.entries()) {
    const quantity = index === 0 ? fewUnits : units
    const set = await admin.call('PATCH', `/admin/variants/${variantId}/inventory`, { quantity })
    if (set.status !== 200) throw new Error(`the stock was not set: ${set.status} ${JSON.stringify(set.body)}`)
  }
  const endpointId = await registerReceiver(admin, receiver)
  const database = new URL('/shop', cluster.databaseUrl).href
  return {
    admin,
    variantIds,
    endpointId,
    received: receiver.received,
    readMails: async () => [...mails],
    // The database may still recover from a fault.
    query: <Row>(text: string, values?: unknown[]) =>
      waitFor('a reply of the database', () => queryAt<Row>(database, text, values)),
    since,
    close: () => receiver.close(),
  }
}
