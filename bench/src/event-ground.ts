import { Client } from 'pg'
import type { z } from 'zod'
import type { RunningShop } from '@storefront/tools/launch'
import { Done, ReceiverUrl, type Written } from './event-messages.ts'
import { stagesOf } from './event-stages.ts'
import { startHelperProcess, type HelperProcess } from './helper-process.ts'
import { signInMerchant } from './merchant.ts'
import { makeDataFolder, openShop } from './open-shop.ts'
import { shopDatabaseUrl } from './shop-database.ts'

/** The endpoints of the storefront, and of another receiver, which subscribes only to deleted products. */
export const STOREFRONT_PATH = '/api/revalidate'
export const OTHER_PATH = '/other'

export type EventGround = Awaited<ReturnType<typeof openEventGround>>

/** A shop in which the bench commits catalog's events, and a receiver in a process of its own. */
export async function openEventGround() {
  const undo: (() => Promise<void>)[] = []
  const close = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step()
  }
  try {
    const folder = await makeDataFolder()
    undo.push(folder.remove)
    const receiver = startHelperProcess('event-receiver.ts', {})
    undo.push(() => receiver.stop())
    const { url } = await receiver.request({ command: 'url' }, ReceiverUrl)
    const { shop, close: closeShop } = await openShop({
      dataDir: folder.path,
      edgeCache: true,
      storefrontUrl: url,
      // A receiver that hangs must keep the attempts that it has, and cause no others, while a backlog gathers.
      notifierEnvironment: { WEBHOOK_TIMEOUT_MS: '600000' },
    })
    undo.push(closeShop)
    // Before catalog is stopped. No event of the steady rounds goes there.
    const merchant = await signInMerchant(shop)
    await merchant.addEndpoint({ url: `${url}${OTHER_PATH}`, types: ['product.deleted'] })
    const database = new URL(shopDatabaseUrl(shop.databaseAdminUrl))
    const client = new Client({ connectionString: database.toString() })
    await client.connect()
    undo.push(() => client.end())
    return {
      shop,
      writer: await startWriter(shop, database, undo),
      receiver,
      /** How many deliveries to the storefront are waiting or in progress. */
      async openDeliveries() {
        const { rows } = await client.query<{ count: string }>(
          `select count(*) from notifier.deliveries
           where endpoint_id = 'whe_storefront' and status in ('queued', 'sending', 'waiting')`,
        )
        return Number(rows[0]?.count)
      },
      /** Where the events of a run spent their time, stage by stage. */
      stages: (run: string, written: z.output<typeof Written>) => stagesOf(client, run, written),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The relays of one service take turns: catalog's is stopped, so that all the CPU time is in one process. */
async function startWriter(shop: RunningShop, database: URL, undo: (() => Promise<void>)[]): Promise<HelperProcess> {
  await shop.services.catalog.stop()
  const url = new URL(database)
  url.searchParams.set('options', '-c search_path=catalog')
  const writer = startHelperProcess('event-writer.ts', {
    WRITER_DATABASE_URL: url.toString(),
    WRITER_NATS_URL: shop.infrastructure.nats.urlFor('catalog'),
    WRITER_NAMESPACE: 'shop',
  })
  undo.push(() => writer.stop())
  await writer.request({ command: 'stop-writing', run: 'none' }, Done)
  return writer
}
