import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { openShopOfProcesses, type TestShop } from './support/shop.ts'

const ORDERS = 50
const BUYERS = 4
/** Mails in progress when a notifier or a mail server is killed: one on each connection. */
const UNDER_WAY = 4

let shop: TestShop
let variantId: string

beforeAll(async () => {
  shop = await openShopOfProcesses({ ownServers: true })
  variantId = (await shop.stockProduct('mail-outage', ORDERS)).variants[0]?.id ?? ''
})
afterAll(() => shop.stop())

/** Buys despite all outages; a repeated checkout of one cart never makes a second order. */
async function buy(): Promise<string> {
  const client = shop.client()
  const cart = await client.cartWith(variantId)
  return waitFor(
    'the checkout',
    async () => {
      const response = await client.checkOut(cart.id)
      return response.status === 200 ? Order.parse(response.body).number : undefined
    },
    60_000,
  )
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

test('each of fifty orders has one mail, or an uncertain one in the log, after outages of all parts', async () => {
  const numbers: string[] = []
  const mailbox = shop.shop.mailbox
  if (!mailbox) throw new Error('the shop has no mailbox')
  const { infrastructure, services } = shop.shop
  const troubles: { after: number; cause: () => Promise<void> }[] = [
    { after: 8, cause: () => mailbox.kill('SIGKILL') },
    { after: 16, cause: () => services.notifier.kill('SIGKILL') },
    { after: 24, cause: () => infrastructure.nats.stop().then(() => infrastructure.nats.start()) },
    { after: 32, cause: () => mailbox.stop().then(() => mailbox.start()) },
    { after: 40, cause: () => services.notifier.kill('SIGKILL') },
  ]
  const caused: Promise<void>[] = []
  let begun = 0
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (begun++ < ORDERS) {
        numbers.push(await buy())
        if (numbers.length >= (troubles[0]?.after ?? Infinity))
          caused.push(troubles.shift()?.cause() ?? Promise.resolve())
      }
    }),
  )
  await Promise.all(caused)
  expect(troubles).toEqual([])
  expect(new Set(numbers).size).toBe(ORDERS)

  const mails = await waitFor(
    'all mails to be settled',
    async () => {
      const rows = await shop.sql<{ reference: string; phase: string }>(
        `select reference, phase from notifier.mails where kind = 'orderPlaced' and phase in ('sent', 'uncertain')`,
      )
      return rows.length === ORDERS ? rows : undefined
    },
    150_000,
  )
  const counts = await arrived()
  expect(mails.map((mail) => mail.reference).toSorted()).toEqual(numbers.toSorted())
  const sent = mails.filter((mail) => mail.phase === 'sent')
  expect(sent.map(({ reference }) => [reference, counts.get(reference)])).toEqual(
    sent.map(({ reference }) => [reference, 1]),
  )
  const uncertain = mails.filter((mail) => mail.phase === 'uncertain')
  expect(uncertain.length).toBeLessThanOrEqual(4 * UNDER_WAY)
  for (const { reference } of uncertain) expect(counts.get(reference) ?? 0).toBeLessThanOrEqual(1)

  // Each of them is reported to the operator, in a line that follows the change of the table.
  const unreported = async () => {
    const lines = (await readFile(join(shop.dataDir, 'logs', 'notifier.log'), 'utf8')).split('\n')
    const reports = lines.filter((line) => line.includes('is uncertain'))
    return uncertain.filter(({ reference }) => !reports.some((line) => line.includes(`"${reference}"`)))
  }
  await waitFor('the log', async () => (await unreported()).length === 0).catch(() => {}) // Reported below.
  expect(await unreported()).toEqual([])
}, 240_000)
