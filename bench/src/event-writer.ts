import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { createDatabase, transaction } from '@storefront/postgres'
import { createLog, systemClock } from '@storefront/service'
import { openMessaging, publish, startRelay } from '@storefront/messaging'
import { CategoryUpdated, InventoryUpdated, ProductDeleted, ProductUpdated } from '@storefront/contracts'
import { WriterRequest, type EventMix, type Written } from './event-messages.ts'
import { replyToRequests } from './helper-process.ts'
import { monotonicMs } from './monotonic.ts'
import { runOpenLoop } from './open-loop.ts'
import { percentile } from './percentile.ts'

/** Takes the place of catalog: commits events into its outbox, and relays them. Catalog itself must not run. */
const Environment = z.object({
  WRITER_DATABASE_URL: z.string(),
  WRITER_NATS_URL: z.string(),
  WRITER_NAMESPACE: z.string(),
})

const TICK_MS = 2
/** Commits at a time, as many as catalog has connections. */
const CONNECTIONS = 10

const environment = Environment.parse(process.env)
const log = createLog({ service: 'catalog', level: 'warn' })
const db = createDatabase<unknown>({
  url: environment.WRITER_DATABASE_URL,
  poolSize: CONNECTIONS + 2,
  name: 'bench-writer',
  log,
})
const messaging = openMessaging({
  url: environment.WRITER_NATS_URL,
  service: 'catalog',
  namespace: environment.WRITER_NAMESPACE,
  log,
})
await messaging.opened
startRelay({ db, messaging, log, clock: systemClock })
const stopped = new Set<string>()

replyToRequests(WriterRequest, async (request) => {
  if (request.command === 'write') return write(request)
  stopped.add(request.run)
  return {}
})

/** Commits events when they are due, at most as many at a time as there are connections. */
async function write(
  request: Extract<z.output<typeof WriterRequest>, { command: 'write' }>,
): Promise<z.output<typeof Written>> {
  const { run, mix, perSecond, count } = request
  const begunMs: number[] = []
  const written = await runOpenLoop({
    perSecond,
    count,
    atATime: CONNECTIONS,
    now: monotonicMs,
    pause: () => setTimeout(TICK_MS),
    isStopped: () => stopped.has(run),
    start: (number) => {
      begunMs[number] = monotonicMs()
      return commitEvent(run, number, mix)
    },
  })
  const late = begunMs
    .map((ms, number) => ms - (written.startMs + (number * 1000) / perSecond))
    .toSorted((one, other) => one - other)
  return { ...written, lateP50Ms: percentile(late, 0.5), lateP99Ms: percentile(late, 0.99) }
}

/** One event in a transaction of its own, about a thing that no other event is about, so that nothing merges. */
async function commitEvent(run: string, number: number, mix: EventMix): Promise<void> {
  const slug = `${run}-${number}`
  const kind =
    mix === 'mixed' ? (['product', 'inventory', 'product', 'inventory', 'category'] as const)[number % 5] : mix
  const at = new Date()
  await transaction(db, async (tx) => {
    if (kind === 'product') await publish(tx, ProductUpdated, { productId: `prd_${slug}`, slug, version: 1 }, at)
    else if (kind === 'deleted') await publish(tx, ProductDeleted, { productId: `prd_${slug}`, slug, version: 1 }, at)
    else if (kind === 'category') await publish(tx, CategoryUpdated, { slug }, at)
    else {
      const stock = { inventory: number % 50, available: number % 50 > 0, version: 1 }
      await publish(tx, InventoryUpdated, { slug, variantId: `var_${slug}`, ...stock }, at)
    }
  })
}
