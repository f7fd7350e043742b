import { manualClock } from '@storefront/service/testing'
import { actorVerifier, type Timer } from '@storefront/service'
import { replyTo, type Messaging } from '@storefront/messaging'
import { ReadPrices } from '@storefront/contracts'
import { createSuite, priceSettings, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { warnOfDemoPayments } from '../src/payments/demo/warn-of-demo.ts'

let suite: Suite
let orders: Messaging
let catalog: Messaging
let requests = 0
let mode = { checkoutMode: 'demo', checkoutProvider: 'demo' }
let timers: Timer[] = []
const clock = manualClock('2026-05-01T10:00:00.000Z')

beforeAll(async () => {
  suite = await createSuite('orders')
  ;[orders, catalog] = await Promise.all([suite.openMessaging('orders'), suite.openMessaging('catalog')])
  const verifyActor = actorVerifier(suite.env('catalog')['ACTOR_PUBLIC_KEY'] ?? '', clock)
  replyTo({ messaging: catalog, log: suite.log, verifyActor }, ReadPrices, () => {
    requests++
    return Promise.resolve({ entries: [], settings: priceSettings(mode) })
  })
  await (await catalog.opened).flush()
})
beforeEach(() => {
  requests = 0
})
afterEach(async () => {
  for (const timer of timers) await timer.stop()
})
afterAll(() => suite.stop())

function start(isProduction = true) {
  const log = suite.log.child({})
  const warn = vi.spyOn(log, 'warn')
  timers = warnOfDemoPayments({ messaging: orders, log, clock, isProduction })
  return { warnings: () => warn.mock.calls.map(([, text]) => text) }
}

/** Checks once more, and waits until the check is done. */
async function checkAgain(): Promise<void> {
  const before = requests
  for (const timer of timers) timer.wake()
  await waitFor('the next check', () => requests > before)
  for (const timer of timers) await timer.stop()
}

test.each([
  { checkoutMode: 'demo', checkoutProvider: 'stripe' },
  { checkoutMode: 'redirect', checkoutProvider: 'demo' },
])('a production shop with demo payments logs a warning when it starts: %o', async (given) => {
  mode = given
  const { warnings } = start()
  await waitFor('the warning', () => warnings().length > 0)
  expect(warnings()).toEqual([expect.stringContaining('GIVES ITS GOODS AWAY')])
})

test('the warning is logged every hour, and not at every check', async () => {
  mode = { checkoutMode: 'demo', checkoutProvider: 'demo' }
  const { warnings } = start()
  await waitFor('the warning', () => warnings().length > 0)
  // One check follows the other: the second has ended when the third one begins.
  for (const checks of [2, 3]) {
    for (const timer of timers) timer.wake()
    await waitFor(`check ${checks}`, () => requests >= checks)
  }
  expect(warnings()).toHaveLength(1)
  clock.advance(61 * 60_000)
  for (const timer of timers) timer.wake()
  await waitFor('the second warning', () => warnings().length === 2)
})

test.each([
  { checkoutMode: 'redirect', checkoutProvider: 'stripe' },
  { checkoutMode: 'razorpay', checkoutProvider: 'demo' },
  { checkoutMode: 'api', checkoutProvider: 'demo' },
])('a production shop without demo payments logs no warning: %o', async (given) => {
  mode = given
  const { warnings } = start()
  await checkAgain()
  expect(warnings()).toEqual([])
})

test('a shop that is not in production is not checked', () => {
  mode = { checkoutMode: 'demo', checkoutProvider: 'demo' }
  start(false)
  expect(timers).toEqual([])
})
