import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { retryUntilAvailable } from '../support/buyers.ts'
import { redeliverAfter } from '../support/redelivery.ts'
import type { TestShop } from '../support/shop.ts'

const PRODUCTS = amount({ quick: 4, long: 20 })
/** The rounds after each fault; before the first one there are as many. */
const ROUNDS_BETWEEN = amount({ quick: 2, long: 5 })
const ORDERS_BETWEEN = amount({ quick: 4, long: 8 })
const BUYERS = 4
/** Mails in progress when a notifier or a mail server is killed: one on each connection. */
const UNDER_WAY = 4

let shop: TestShop
let variantId: string

async function saveWithRetries(id: string, title: string): Promise<void> {
  const { response } = await retryUntilAvailable(() => shop.admin.call('PATCH', `/admin/products/${id}`, { title }))
  expect(response.status).toBe(200)
}

const FAULTS = [
  async () => {
    await shop.shop.infrastructure.nats.kill()
    await shop.shop.infrastructure.nats.start()
  },
  async () => {
    await shop.shop.services.notifier.kill('SIGKILL')
    await shop.shop.services.notifier.waitReady()
  },
  async () => {
    await shop.shop.infrastructure.postgres.kill()
    await shop.shop.infrastructure.postgres.start()
  },
]
const ROUNDS = (FAULTS.length + 1) * ROUNDS_BETWEEN

const TROUBLES = 5
const ORDERS = (TROUBLES + 1) * ORDERS_BETWEEN

/** Buys despite all outages; a repeated checkout of one cart never makes a second order. */
async function buy(): Promise<string> {
  const client = shop.client()
  const cart = await client.cartWith(variantId)
  const { response } = await retryUntilAvailable(() => client.checkOut(cart.id))
  expect(response.status).toBe(200)
  return Order.parse(response.body).number
}

/** How many mails about a placed order arrived, by the number of the order. */
async function arrived(): Promise<Map<string, number>> {
  const folder = join(shop.dataDir, 'mail')
  const names = (await readdir(folder)).filter((name) => name.includes('.orderPlaced'))
  const counts = new Map<string, number>()
  for (const name of names) {
    const number = /^Subject: Order (\S+) received/m.exec(await readFile(join(folder, name), 'utf8'))?.[1] ?? name
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  return counts
}

/** Changes every product in each round, and causes a fault during some of the rounds. */
async function changeAmidFaults(products: readonly { id: string }[]): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const fault = FAULTS[round / ROUNDS_BETWEEN - 1]?.()
    await Promise.all([fault, ...products.map(({ id }) => saveWithRetries(id, `Torn ${round}`))])
  }
}

/** Waits for the webhook of the last change of each product, and until none is under way. */
async function waitUntilDelivered(): Promise<void> {
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
}

async function expectInOrderAndNoneTwice(): Promise<void> {
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
}

/** Places all orders, and causes a fault after some of them. @returns the numbers of the orders */
async function buyAmidTroubles(): Promise<string[]> {
  const numbers: string[] = []
  const mailbox = shop.shop.mailbox
  if (!mailbox) throw new Error('the shop has no mailbox')
  const { infrastructure, services } = shop.shop
  const troubles = [
    () => mailbox.kill('SIGKILL'),
    () => services.notifier.kill('SIGKILL'),
    () => infrastructure.nats.stop().then(() => infrastructure.nats.start()),
    () => mailbox.stop().then(() => mailbox.start()),
    () => services.notifier.kill('SIGKILL'),
  ]
  expect(troubles).toHaveLength(TROUBLES)
  const caused: Promise<void>[] = []
  let begun = 0
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (begun++ < ORDERS) {
        numbers.push(await buy())
        const cause = numbers.length % ORDERS_BETWEEN === 0 ? troubles.shift() : undefined
        if (cause) caused.push(cause())
      }
    }),
  )
  await Promise.all(caused)
  expect(troubles).toEqual([])
  expect(new Set(numbers).size).toBe(ORDERS)
  return numbers
}

const settledMails = (): Promise<{ reference: string; phase: string }[]> =>
  waitFor(
    'all mails to be settled',
    async () => {
      // The pause before a retry is not what the test is about.
      await shop.sql(
        `update notifier.mails set next_attempt_at = now()
           where kind = 'orderPlaced' and phase = 'queued' and attempts > 0 and next_attempt_at > now()`,
      )
      const rows = await shop.sql<{ reference: string; phase: string }>(
        `select reference, phase from notifier.mails where kind = 'orderPlaced' and phase in ('sent', 'uncertain')`,
      )
      return rows.length === ORDERS ? rows : undefined
    },
    150_000,
  )

/** Each uncertain mail is reported to the operator, in a line that follows the change of the table. */
async function expectReported(uncertain: readonly { reference: string }[]): Promise<void> {
  const unreported = async () => {
    const lines = (await readFile(join(shop.dataDir, 'logs', 'notifier.log'), 'utf8')).split('\n')
    const reports = lines.filter((line) => line.includes('is uncertain'))
    return uncertain.filter(({ reference }) => !reports.some((line) => line.includes(`"${reference}"`)))
  }
  await waitFor('the log', async () => (await unreported()).length === 0).catch(() => {}) // Reported below.
  expect(await unreported()).toEqual([])
}

/** The tests of this file, with the shop that is open when they start; it has sold nothing. */
export function testWebhooksAndMails(openShop: () => TestShop): void {
  beforeAll(async () => {
    shop = openShop()
    await redeliverAfter(shop, 3)
  })

  test('when servers are killed during many changes, the last change of each product arrives, in order and none twice', async () => {
    for (let nth = 0; nth < PRODUCTS; nth++) await shop.stockProduct(`torn-${nth}`, 1)
    const products = await shop.sql<{ id: string }>(`select id from catalog.products where slug like 'torn-%'`)
    expect(products).toHaveLength(PRODUCTS)
    await changeAmidFaults(products)
    await waitUntilDelivered()
    expect(shop.receiver.forged()).toBe(0)
    await expectInOrderAndNoneTwice()
  }, 240_000)

  test('each of many orders has one mail, or an uncertain one in the log, after outages of all parts', async () => {
    variantId = (await shop.stockProduct('mail-outage', ORDERS)).variants[0]?.id ?? ''
    const numbers = await buyAmidTroubles()
    const mails = await settledMails()
    const counts = await arrived()
    expect(mails.map((mail) => mail.reference).toSorted()).toEqual(numbers.toSorted())
    const sent = mails.filter((mail) => mail.phase === 'sent')
    expect(sent.map(({ reference }) => [reference, counts.get(reference)])).toEqual(
      sent.map(({ reference }) => [reference, 1]),
    )
    const uncertain = mails.filter((mail) => mail.phase === 'uncertain')
    // All faults but that of NATS interrupt mails.
    expect(uncertain.length).toBeLessThanOrEqual((TROUBLES - 1) * UNDER_WAY)
    for (const { reference } of uncertain) expect(counts.get(reference) ?? 0).toBeLessThanOrEqual(1)
    await expectReported(uncertain)
  }, 240_000)
}
