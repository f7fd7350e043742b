import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { OrderRestocked, type Order } from '@storefront/contracts'
import { readConfig, systemClock } from '@storefront/service'
import { freePort } from '@storefront/tools/infrastructure'
import { builtProgram, createSuite, waitFor, waitForLock, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OrdersConfig } from '../src/config.ts'
import { startOrders, type RunningOrders } from '../src/start.ts'
import { relayed } from './events.ts'
import { simulateRefundingProvider, serveProvider } from './refunding-provider.ts'
import { simulateSettings, TOTAL } from './refunds-shop.ts'
import { BUYER, orderOf, simulateNeighbors, errorOf, type Neighbors } from './shop.ts'

const MAIN = await builtProgram('services/orders/test/orders-with-provider.ts')

let suite: Suite
let shop: Neighbors
let url: string
let killed: ChildProcess
let restarted: RunningOrders
let served: Awaited<ReturnType<typeof serveProvider>>
const provider = simulateRefundingProvider('demo')

/** The refund that was only recorded when the service was killed. */
let recorded: { orderId: string; refunds: Order['refunds']; isMade: boolean }
/** The orders of the three that were in progress, and their states at that moment. */
let full: string
let waiting: string
let units: string
let unit: { lines: { lineId: string | undefined; quantity: number }[] }
let states: (Row | undefined)[]

beforeAll(async () => {
  suite = await createSuite('orders')
  shop = await simulateNeighbors(suite)
  await simulateSettings(suite, shop)
  served = await serveProvider(provider)
  url = `http://127.0.0.1:${await freePort()}`
  shop.stock.set('var_m', 100)
  await startInProcessOfItsOwn()
  await killDuringRefunds()
  // It finds the same rows in this process, which is faster.
  const env = { ...suite.env('orders'), PORT: new URL(url).port }
  const providers = new Map([['demo', provider]])
  restarted = await startOrders(readConfig(OrdersConfig, env), suite.log, systemClock, { providers })
})
afterAll(async () => {
  await kill()
  await restarted.stop()
  await served.stop()
  await shop.stop()
  await suite.stop()
})

async function startInProcessOfItsOwn(): Promise<void> {
  const env = { ...suite.env('orders'), PORT: new URL(url).port, SIMULATED_PROVIDER_URL: served.url }
  killed = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' })
  await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok)
}

async function kill(): Promise<void> {
  if (killed.exitCode !== null || killed.signalCode !== null) return
  const exited = once(killed, 'exit')
  killed.kill('SIGKILL')
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

/** Ends the lease of the dead process on the refund of this order. */
const endLease = (id: string) =>
  suite.sql(`update orders.refunds set next_attempt_at = now() where status = 'pending' and order_id = $1`, [id])

async function expectOneRefund(id: string): Promise<void> {
  await endLease(id)
  await waitFor('the refund', async () => (await stateOf(id))?.status === 'cancelled')
  expect(await stateOf(id)).toMatchObject({ refunded_minor: TOTAL, refund: 'succeeded' })
  const made = [...provider.refunds.values()].filter(({ paymentReference }) => paymentReference === `demo_${id}`)
  expect(made).toMatchObject([{ amount: { amount: TOTAL } }])
  expect(errorOf(await refund(id)).code).toBe('already_refunded')
}

/** Kills the service while it waits for the provider, or to record what the provider has done. */
async function killDuringRefunds(): Promise<void> {
  const orderId = await placePaid()
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
    // The provider is unreachable: no request for the fourth one arrives there.
    provider.behavior = 'unreachable'
    const { refunds } = orderOf(await refund(orderId))
    await kill()
    recorded = { orderId, refunds, isMade: provider.refunds.has(refunds[0]?.id ?? '') }
  } finally {
    end()
    await suite.sql('rollback')
  }
  provider.behavior = 'normal'
  provider.beforeResponse = undefined
  for (const result of await results) expect(String(Object(result).reason)).toContain('fetch failed')
  states = [await stateOf(full), await stateOf(waiting), await stateOf(units)]
}

test('killed after it recorded the refund and before the call to the provider, it refunds after its restart', async () => {
  expect(recorded.refunds).toMatchObject([{ status: 'pending' }])
  expect(recorded.isMade).toBe(false)
  await expectOneRefund(recorded.orderId)
})

describe('killed during three refunds', () => {
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
    await endLease(units)
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
