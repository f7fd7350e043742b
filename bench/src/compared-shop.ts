/**
 * One of the shops of `npm run bench -- --against`, in a process of its own. It is copied into the other version, so it
 * uses only what the bench of both has: `openGround`. It ends, and the shop with it, when the parent process
 * disconnects.
 */
import { SERVICE_NAMES } from '@storefront/contracts'
import { openGround } from './ground.ts'

const opened = await openGround({ edgeCache: process.env['COMPARED_EDGE_CACHE'] === 'on' })
const { shop, slugs, variantIds, hotVariantId } = opened.ground
const { postgres, redis, nats } = shop.infrastructure

const end = () => void opened.close().finally(() => process.exit())
process.once('disconnect', end)
// The parent process may have ended while the shop was starting.
if (!process.connected) end()
process.send?.({
  target: { url: shop.url, natsUrl: nats.urlFor('orders'), slugs, variantIds, hotVariantId },
  processes: {
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, shop.services[name].pid()])),
    postgres: postgres.pid,
    redis: redis.pid,
    nats: nats.pid,
    mailbox: shop.mailbox?.pid(),
  },
})
