import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount, waitFor } from '@storefront/tools/testing'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

const PRODUCTS = amount({ quick: 10, long: 20 })
const ROUNDS = 20

let shop: TestShop

beforeAll(async () => {
  shop = await openShopOfProcesses({ ownServers: true, serviceEnvironment: { notifier: { CLAIM_LEASE_MS: '3000' } } })
})

afterAll(() => shop.stop())

async function savedForSure(id: string, title: string): Promise<void> {
  await waitFor(
    'the merchant to save',
    async () => {
      const response = await shop.admin.call('PATCH', `/admin/products/${id}`, { title }).catch(() => undefined)
      return response?.status === 200
    },
    60_000,
  )
}

/** The fault of a round, by its number. */
const FAULTS: Record<number, () => Promise<void>> = {
  async 5() {
    await shop.shop.infrastructure.nats.kill()
    await shop.shop.infrastructure.nats.start()
  },
  async 10() {
    await shop.shop.services.notifier.kill('SIGKILL')
    await shop.shop.services.notifier.waitReady()
  },
  async 15() {
    await shop.shop.infrastructure.postgres.kill()
    await shop.shop.infrastructure.postgres.start()
  },
}

test('of hundreds of changes amid killed servers the last of each product arrives, in order and none twice', async () => {
  for (let nth = 0; nth < PRODUCTS; nth++) await shop.stockProduct(`torn-${nth}`, 1)
  const products = await shop.sql<{ id: string }>(`select id from catalog.products where slug like 'torn-%'`)
  expect(products).toHaveLength(PRODUCTS)
  for (let round = 1; round <= ROUNDS; round++) {
    const fault = FAULTS[round]?.()
    await Promise.all([fault, ...products.map(({ id }) => savedForSure(id, `Torn ${round}`))])
  }
  const versions = await shop.sql<{ subject: string; version: number }>(
    `select 'product:' || id as subject, version::int from catalog.products where slug like 'torn-%' order by 1`,
  )
  await waitFor(
    'the last webhook of each product',
    async () => {
      const last = await shop.sql(
        `select subject, max(version)::int as version from notifier.deliveries
          where status = 'delivered' and subject = any($1) group by 1 order by 1`,
        [versions.map(({ subject }) => subject)],
      )
      return JSON.stringify(last) === JSON.stringify(versions)
    },
    60_000,
  )
  await waitFor('every delivery to be settled', async () => {
    const open = await shop.sql(`select 1 from notifier.deliveries where settled_at is null limit 1`)
    return open.length === 0
  })
  expect(shop.receiver.forged()).toBe(0)

  const reported = await shop.sql<{ event_id: string; subject: string; version: number; is_torn: boolean }>(
    `select event_id, subject, version::int, exists (
        select from notifier.attempts a where a.delivery_id = d.id and a.error = 'interrupted') as is_torn
      from notifier.deliveries d where version is not null`,
  )
  const known = new Map(reported.map((delivery) => [delivery.event_id, delivery]))
  const ids = shop.receiver.received.map(({ id }) => id)
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place)
  // Only deliveries that the killed replica was sending, or had not recorded, can be repeated.
  expect(twice.filter((id) => known.get(id)?.is_torn !== true)).toEqual([])
  const newest = new Map<string, number>()
  for (const id of ids) {
    const { subject, version } = known.get(id) ?? {}
    if (subject === undefined || version === undefined) continue
    expect(version, subject).toBeGreaterThanOrEqual(newest.get(subject) ?? 0)
    newest.set(subject, version)
  }
  expect(newest.size).toBeGreaterThanOrEqual(PRODUCTS)
}, 240_000)
