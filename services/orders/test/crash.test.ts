import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { sendRequest } from '@storefront/messaging'
import { OrderPaid, OrderPlaced, SettleClaims } from '@storefront/contracts'
import { freePort } from '@storefront/tools/infrastructure'
import { builtProgram, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUYER, holdRelay, orderOf, simulateNeighbors, errorOf, type Neighbors } from './shop.ts'

const MAIN = await builtProgram('services/orders/src/main.ts')

let suite: Suite
let shop: Neighbors
let url: string
let orders: ChildProcess | undefined

beforeAll(async () => {
  suite = await createSuite('orders')
  shop = await simulateNeighbors(suite)
  url = `http://127.0.0.1:${await freePort()}`
})
afterAll(async () => {
  await stop('SIGKILL')
  await shop.stop()
  await suite.stop()
})

beforeEach(async () => {
  shop.stock.set('var_m', 5)
  // A test that killed it has started it again.
  if (!isRunning()) await start()
})
afterEach(() => {
  shop.hooks.beforeReserved = undefined
})

/** Starts the service as in production: in a process of its own. */
async function start(): Promise<void> {
  const env = { ...suite.env('orders'), PORT: new URL(url).port }
  orders = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' })
  await waitFor('the service', async () => (await fetch(`${url}/readyz`)).ok)
  await waitFor('its replies', () => settle('res_nothing.1'))
}

const isRunning = () => orders?.exitCode === null && orders.signalCode === null

async function stop(signal: NodeJS.Signals): Promise<number | null> {
  if (orders === undefined) return null
  if (!isRunning()) return orders.exitCode
  const exited = once(orders, 'exit')
  orders.kill(signal)
  await exited
  return orders.exitCode
}

async function settle(claim: string) {
  const { verdicts } = await sendRequest(shop.catalog, SettleClaims, { claims: [claim] })
  return verdicts[0]?.verdict
}

async function checkOut(cartId: string) {
  // Without keep-alive, for which a service that stops would wait.
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(`${url}/carts/${cartId}/checkout`, {
    method: 'POST',
    headers,
    body: JSON.stringify(BUYER),
  })
  return { status: response.status, body: await response.json() }
}

const ordersOf = (cartId: string) =>
  suite.sql<{ id: string; status: string }>('select id, status from orders.orders where cart_id = $1', [cartId])

describe('an orders service that is killed', () => {
  test('between reservation and order leaves no order, and the next buyer gets the goods', async () => {
    const { id } = shop.addCart({ var_m: 5 })
    const claims: string[] = []
    shop.hooks.beforeReserved = async (claim) => {
      claims.push(claim)
      if (claims.length === 1) await stop('SIGKILL')
    }
    await expect(checkOut(id)).rejects.toThrow('fetch failed')
    const [claim = ''] = claims
    expect(await ordersOf(id)).toEqual([])
    expect(shop.stock.held()).toEqual([claim])

    await start()
    // No other buyer can have them while the result of the order is unknown.
    const other = shop.addCart({ var_m: 1 })
    expect(errorOf(await checkOut(other.id))).toMatchObject({ code: 'out_of_stock' })
    // The deadline of the hold passes: catalog requests its state, learns that it was abandoned, and releases the
    // goods.
    expect(await settle(claim)).toBe('abandoned')
    expect(shop.stock.release(claim)).toBe(true)
    expect(await ordersOf(id)).toEqual([])

    const order = orderOf(await checkOut(id))
    expect(shop.stock.held()).toEqual([claim.replace(/1$/, '2')])
    expect(await settle(claim.replace(/1$/, '2'))).toBe('ordered')
    expect(await settle(claim)).toBe('abandoned')
    await waitFor('the payment', async () => (await ordersOf(id))[0]?.status === 'paid')
    const announced = (await suite.eventsOf(OrderPlaced)).filter(({ cartId }) => cartId === id)
    expect(announced.map((event) => event.order.id)).toEqual([order.id])
    for (const held of shop.stock.held()) shop.stock.release(held)
  })

  test('between reservation and order sells to the same cart without waiting for the deadline', async () => {
    const { id } = shop.addCart({ var_m: 5 })
    let killed = false
    shop.hooks.beforeReserved = async () => {
      if (killed) return
      killed = true
      await stop('SIGKILL')
    }
    await expect(checkOut(id)).rejects.toThrow('fetch failed')
    await start()
    const order = orderOf(await checkOut(id))
    expect(await ordersOf(id)).toMatchObject([{ id: order.id }])
    expect(shop.stock.held()).toHaveLength(1)
    expect(await settle(shop.stock.held()[0] ?? '')).toBe('ordered')
    for (const held of shop.stock.held()) shop.stock.release(held)
  })

  test('after commit and before publish loses no event, and has the order paid once', async () => {
    const { id } = shop.addCart({ var_m: 1 })
    const letRelay = await holdRelay(suite)
    const order = orderOf(await checkOut(id))
    await stop('SIGKILL')
    const about = async () => ({
      placed: (await suite.eventsOf(OrderPlaced)).filter((event) => event.order.id === order.id).length,
      paid: (await suite.eventsOf(OrderPaid)).filter((event) => event.orderId === order.id).length,
    })
    expect(await about()).toEqual({ placed: 0, paid: 0 })
    await letRelay()
    await start()
    await waitFor('order.paid', async () => (await about()).paid > 0)
    await waitFor('an empty outbox', async () => (await suite.sql('select from orders.outbox')).length === 0)
    expect(await about()).toEqual({ placed: 1, paid: 1 })
  })
})

describe('an orders service that is shut down', () => {
  test('finishes the running checkout and exits with 0', async () => {
    const { id } = shop.addCart({ var_m: 1 })
    let stopped: Promise<number | null> | undefined
    shop.hooks.beforeReserved = async () => {
      stopped ??= stop('SIGTERM')
      // By then it accepts no new requests, and still completes the running ones.
      await waitFor(
        'the service to stop listening',
        async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok !== true,
      )
    }
    expect(orderOf(await checkOut(id)).status).toBe('placed')
    expect(await stopped).toBe(0)
    expect(await ordersOf(id)).toHaveLength(1)
  })
})
