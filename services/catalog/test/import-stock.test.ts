import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { InventoryUpdated, ReserveInventory } from '@storefront/contracts'
import { createSuite, expectLedgerBalanced, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog
let orders: Messaging

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  orders = await suite.openMessaging('orders')
})
afterEach(async () => {
  await suite.sql('rollback')
  await expectLedgerBalanced(suite)
})
afterAll(() => suite.stop())

const shirts = (name: string, count: number, inventory: number) =>
  Array.from({ length: count }, (_, nth) => shirt(`${name}-${nth}`, { sizes: ['M'], inventory }))

const importing = (products: unknown[]) => importCatalogue(catalog.app, suite, { products })

/** By id, as stock is locked. */
const variantsOf = (name: string) =>
  suite.sql<{ id: string; slug: string }>(
    `select v.id, p.slug from catalog.variants v join catalog.products p on p.id = v.product_id
     where p.slug like $1 order by v.id`,
    [`${name}-%`],
  )

const hold = (variantId: string, quantity: number) =>
  sendRequest(orders, ReserveInventory, {
    reservationId: `res_${variantId}`,
    lines: [{ variantId, quantity }],
    ttlSeconds: 600,
  })

const levelOf = async (variantId: string) => {
  const [row] = await suite.sql('select on_hand, reserved from catalog.stock where variant_id = $1', [variantId])
  return row
}

const shownOf = async (slug: string) => {
  const page = await catalog.app.inject({ url: `/products/${slug}` })
  return page.json().variants[0].inventory
}

test('a checkout can take goods whose quantity an import is about to set, and the import sets what can be bought then', async () => {
  await importing(shirts('late', 3, 7))
  const first = (await variantsOf('late'))[0]?.id ?? ''
  await suite.sql('begin')
  await suite.sql('lock table catalog.product_responses in share mode')
  const applied = importing(shirts('late', 3, 9))
  await waitForLock(suite)
  expect(await hold(first, 2)).toMatchObject({ held: true })
  await suite.sql('commit')
  expect((await applied).json()).toMatchObject({ counts: { products: { updated: 3 } } })
  expect(await levelOf(first)).toEqual({ on_hand: 11, reserved: 2 })
  expect(await Promise.all(['late-0', 'late-1', 'late-2'].map(shownOf))).toEqual([9, 9, 9])
  const events = await waitFor('the events', async () => {
    const all = (await suite.eventsOf(InventoryUpdated)).filter(({ slug }) => slug.startsWith('late-'))
    return all.length >= 3 && all
  })
  expect(events.map(({ inventory }) => inventory)).toEqual([9, 9, 9])
})

test('a product of an import that sells out after its response was written is shown as sold out', async () => {
  await importing(shirts('meanwhile', 1, 7))
  const variantId = (await variantsOf('meanwhile'))[0]?.id ?? ''
  await suite.sql('begin')
  await suite.sql('lock table catalog.audit_entries in share mode')
  const applied = importing(shirts('meanwhile', 1, 7).map((product) => ({ ...product, title: 'Renamed' })))
  await waitForLock(suite)
  expect(await hold(variantId, 7)).toMatchObject({ held: true })
  await suite.sql('commit')
  expect((await applied).statusCode).toBe(200)
  expect(await levelOf(variantId)).toEqual({ on_hand: 7, reserved: 7 })
  await waitFor('the product page', async () => (await shownOf('meanwhile-0')) === 0)
})

test('an import locks stock in the order of the ids, as checkouts do, whatever the order of its file', async () => {
  const stocked = (variantId: string, inventory: number) =>
    shirt(`of-${variantId}`, { sizes: ['M'], variants: [{ id: variantId, options: { Size: 'M' }, inventory }] })
  // In the table and in the file the first of the ids comes last, in the file in another chunk of 500 products.
  for (const variantId of ['last', 'first']) await importing([stocked(variantId, 7)])
  await suite.sql('begin')
  await suite.sql(`select 1 from catalog.stock where variant_id = 'first' for update`)
  const applied = importing([stocked('last', 9), ...shirts('between', 499, 7), stocked('first', 9)])
  await waitForLock(suite)
  expect(await hold('last', 2)).toMatchObject({ held: true })
  await suite.sql('commit')
  expect((await applied).json()).toMatchObject({ counts: { products: { created: 499, updated: 2 } } })
  expect(await levelOf('last')).toEqual({ on_hand: 11, reserved: 2 })
})
