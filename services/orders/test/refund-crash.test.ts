import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { OrderRestocked } from '@storefront/contracts'
import { freePort } from '@storefront/tools/infrastructure'
import { builtProgram, createSuite, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { relayed } from './events.ts'
import { simulateRefundingProvider, serveProvider } from './refunding-provider.ts'
import { simulateSettings, TOTAL } from './refunds-shop.ts'
import { BUYER, orderOf, simulateNeighbors, errorOf, type Neighbors } from './shop.ts'

const MAIN = await builtProgram('services/orders/test/orders-with-provider.ts')

let suite: Suite
let shop: Neighbors
let url: string
let orders: ChildProcess
let served: Awaited<ReturnType<typeof serveProvider>>
const provider = simulateRefundingProvider('demo')

beforeAll(async () => {
  suite = await createSuite('orders')
  shop = await simulateNeighbors(suite)
  await simulateSettings(suite, shop)
  served = await serveProvider(provider)
  url = `http://127.0.0.1:${await freePort()}`
  shop.stock.set('var_m', 100)
  // A test that kills the service starts it again, so each test finds it running.
  await start()
})
afterAll(async () => {
  await kill()
  await served.stop()
  await shop.stop()
  await suite.stop()
})
beforeEach(() => {
  provider.behavior = 'normal'
})
afterEach(() => {
  provider.beforeResponse = undefined
})

async function start(): Promise<void> {
  const env = { ...suite.env('orders'), PORT: new URL(url).port, SIMULATED_PROVIDER_URL: served.url }
  orders = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' })
  await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok)
}

async function kill(): Promise<void> {
  if (orders.exitCode !== null || orders.signalCode !== null) return
  const exited = once(orders, 'exit')
  orders.kill('SIGKILL')
  await exited
}

async function post(path: string, body: object, headers: object = {}) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

interface Row {
  status: string
  refunded_minor: number
  refund: string
  refund_id: string
}
async function stateOf(orderId: string): Promise<Row | undefined> {
  const [row] = await suite.sql<Row>(
    `select o.status, o.refunded_minor::int, r.status as refund, r.id as refund_id
     from orders.orders o left join orders.refunds r on r.order_id = o.id where o.id = $1`,
    [orderId],
  )
  return row
}

async function placePaid(quantity = 1): Promise<string> {
  let placed: Awaited<ReturnType<typeof post>> | undefined
  await waitFor('a checkout', async () => {
    placed = await post(`/carts/${shop.addCart({ var_m: quantity }).id}/checkout`, BUYER)
    return placed.status === 200
  })
  if (!placed) throw new Error('nothing was placed')
  const { id } = orderOf(placed)
  await waitFor('the payment', async () => (await stateOf(id))?.status === 'paid')
  return id
}

const refund = (id: string, body: object = {}) =>
  post(`/admin/orders/${id}/refunds`, body, suite.headers.admin(['orders:write']))

/** Ends the lease of the dead process. */
const endLease = () => suite.sql(`update orders.refunds set next_attempt_at = now() where status = 'pending'`)

async function expectOneRefund(id: string): Promise<void> {
  await endLease()
  await waitFor('the refund', async () => (await stateOf(id))?.status === 'cancelled')
  expect(await stateOf(id)).toMatchObject({ refunded_minor: TOTAL, refund: 'succeeded' })
  const made = [...provider.refunds.values()].filter(({ paymentReference }) => paymentReference === `demo_${id}`)
  expect(made).toMatchObject([{ amount: { amount: TOTAL } }])
  expect(errorOf(await refund(id)).code).toBe('already_refunded')
}

test('killed after it recorded the refund and before the call to the provider, it refunds after its restart', async () => {
  const id = await placePaid()
  // The provider is unreachable: no request arrives there.
  provider.behavior = 'unreachable'
  const pending = orderOf(await refund(id)).refunds
  await kill()
  expect(pending).toMatchObject([{ status: 'pending' }])
  expect(provider.refunds.has(pending[0]?.id ?? '')).toBe(false)
  provider.behavior = 'normal'
  await start()
  await expectOneRefund(id)
})

describe('killed during three refunds', () => {
  let full: string
  let waiting: string
  let units: string
  let unit: { lines: { lineId: string | undefined; quantity: number }[] }
  let states: (Row | undefined)[]

  beforeAll(async () => {
    full = await placePaid()
    waiting = await placePaid()
    units = await placePaid(3)
    const [line] = await suite.sql<{ id: string }>(
      `select document->'lines'->0->>'id' as id from orders.orders where id = $1`,
      [units],
    )
    unit = { lines: [{ lineId: line?.id, quantity: 1 }] }
    let arrived = 0
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    await suite.sql('begin')
    provider.beforeResponse = async ({ paymentReference }) => {
      if (paymentReference === `demo_${waiting}`) {
        await suite.sql('select from orders.orders where id = $1 for update', [waiting])
      } else {
        arrived++
        await ended
      }
    }
    const results = Promise.allSettled([refund(full), refund(waiting), refund(units, unit)])
    try {
      await waitFor('two refunds', () => arrived === 2)
      // The third one waits to be recorded.
      await waitForLock(suite, 'for no key update')
      await kill()
    } finally {
      end()
      await suite.sql('rollback')
    }
    provider.beforeResponse = undefined
    for (const result of await results) expect(String(Object(result).reason)).toContain('fetch failed')
    states = [await stateOf(full), await stateOf(waiting), await stateOf(units)]
    await start()
  })

  test('killed after the provider refunded and before that was recorded, it does not refund twice', async () => {
    expect(states[0]).toMatchObject({ status: 'paid', refunded_minor: 0, refund: 'pending' })
    // No other process sends the refund before the lease of the dead one has ended.
    expect(errorOf(await refund(full)).code).toBe('already_refunded')
    await expectOneRefund(full)
    expect(provider.requests.get(states[0]?.refund_id ?? '')).toBe(1)
  })

  test('killed while it waits to record a successful refund, it does so after its restart', async () => {
    expect(states[1]).toMatchObject({ status: 'paid', refund: 'pending' })
    await expectOneRefund(waiting)
  })

  test('killed after the provider refunded units and before that was recorded, it returns them to the stock once', async () => {
    expect(states[2]).toMatchObject({ refunded_minor: 0, refund: 'pending' })
    await endLease()
    await waitFor('the refund', async () => (await stateOf(units))?.refund === 'succeeded')
    orderOf(await refund(units, unit))
    await relayed(suite)
    const events = (await suite.eventsOf(OrderRestocked)).filter(({ orderId }) => orderId === units)
    expect(events.map(({ lines }) => lines)).toEqual([
      [{ variantId: 'var_m', quantity: 1 }],
      [{ variantId: 'var_m', quantity: 1 }],
    ])
  })
})
