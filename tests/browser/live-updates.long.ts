import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Product } from '@storefront/contracts'
import { openTcpProxy, waitFor, type TcpProxy } from '@storefront/tools/testing'
import { openConsole, signIn, type TestConsole } from '../support/console.ts'
import { placePaidOrder } from '../support/paid-order.ts'

/** Shorter than any interval at which a screen reads without an update. */
const SOON = { timeout: 10_000 }

let merchants: TestConsole
let proxy: TcpProxy
let shirt: Product

beforeAll(async () => {
  ;[merchants, proxy] = await Promise.all([openConsole(), openTcpProxy()])
  proxy.through(merchants.shop.shop.url)
  shirt = await merchants.shop.stockProduct('live-shirt', 50)
})
afterAll(async () => {
  await merchants.stop()
  await proxy.close()
  // The browser reports the connection that a test cuts.
  expect(merchants.faults.filter((fault) => !fault.includes('net::ERR_'))).toEqual([])
})

const buy = () => merchants.shop.client().buy(shirt.variants[0]?.id ?? '')

/** The number of orders to pack on the home screen; 0 without such a line. */
async function toPack(home: Page): Promise<number> {
  const line = home.getByRole('region', { name: 'Waiting for you' }).getByRole('link', { name: /Orders to pack/ })
  const [text] = await line.allInnerTexts()
  return Number(/\d+/.exec(text ?? '')?.[0] ?? 0)
}

/** Resolves when the console of a page receives updates. */
function followed(page: Page): Promise<unknown> {
  return page.waitForResponse((response) => response.url().endsWith('/admin/console/updates') && response.ok())
}

test('a merchant sees a new order appear on the home screen and in the list, without doing anything', async () => {
  const [home, list] = [await merchants.open('/'), await merchants.open('/orders')]
  await home.getByRole('region', { name: 'Waiting for you' }).waitFor()
  await list.getByRole('heading', { name: 'Orders' }).waitFor()
  const before = await toPack(home)
  let loads = 0
  for (const page of [home, list]) page.on('load', () => loads++)
  const { number } = await buy()
  await list.getByRole('link', { name: number }).waitFor(SOON)
  await waitFor('the order to pack', async () => (await toPack(home)) === before + 1, SOON.timeout)
  // The demo provider has paid it meanwhile, which the list shows as well.
  await list
    .getByRole('row')
    .filter({ hasText: number })
    .getByText('Paid')
    .first()
    .waitFor({ ...SOON, state: 'attached' })
  expect(loads).toBe(0)
})

test('the figures of the home screen stay when they cannot be read again, and the merchant reads that', async () => {
  const home = await merchants.open('/')
  const chart = home.getByRole('img', { name: 'Revenue' })
  await chart.waitFor()
  const json = { code: 'forbidden', message: 'The test keeps this from the shop.', requestId: 'none' }
  await home.route(/\/admin\/summary/, (route) => route.fulfill({ status: 403, json }))
  await buy()
  const note = home.getByRole('status').filter({ hasText: 'These figures could not be refreshed' })
  await note.waitFor(SOON)
  expect(await chart.count()).toBe(1)
  await home.unroute(/\/admin\/summary/)
  await note.getByRole('button', { name: 'Try again' }).click()
  await note.waitFor({ state: 'detached' })
})

test('a merchant whose connection broke sees what happened meanwhile as soon as it is back', async () => {
  const list = await merchants.openSignedOut()
  await list.goto(`http://127.0.0.1:${proxy.port}/console/orders`)
  const following = followed(list)
  await signIn(list, merchants.shop.shop.adminEmail, merchants.shop.shop.adminPassword)
  await list.getByRole('heading', { name: 'Orders' }).waitFor()
  await following
  const again = followed(list)
  proxy.cut()
  const { number } = await buy()
  proxy.repair()
  await again
  await list.getByRole('link', { name: number }).waitFor(SOON)
  expect(new URL(list.url()).port).toBe(String(proxy.port))
})

test('a merchant whose first connection fails sees what happened meanwhile as soon as there is one', async () => {
  const list = await merchants.openSignedOut('/orders')
  await list.route('**/admin/console/updates', (route) => route.abort())
  await signIn(list, merchants.shop.shop.adminEmail, merchants.shop.shop.adminPassword)
  await list.getByRole('row').nth(1).waitFor()
  const { number } = await placePaidOrder(merchants.shop, 'Bea', [[shirt, 1]])
  // The console connects again after more than a second. By then the name of the change is no longer sent: it must read
  // the list without being notified.
  for (let failures = 0; failures < 2; failures++) await list.waitForEvent('requestfailed')
  expect(await list.getByRole('link', { name: number }).count()).toBe(0)
  await list.unroute('**/admin/console/updates')
  await list.getByRole('link', { name: number }).waitFor(SOON)
})

test('a merchant who signed out on all devices is shown the sign-in in every window at once', async () => {
  const [here, there] = [await merchants.open('/orders'), await merchants.open('/orders')]
  await here.getByRole('button', { name: 'Your account' }).click()
  await here.getByRole('menuitem', { name: 'Sign out on all devices' }).click()
  await there.getByRole('heading', { name: 'Sign in to the console' }).waitFor(SOON)
  expect(await there.evaluate(`document.elementFromPoint(20, 120)?.closest('dialog') !== null`)).toBe(true)
})
