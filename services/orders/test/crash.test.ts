import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { sendRequest } from '@storefront/messaging'
import { OrderPaid, OrderPlaced, SettleClaims, type Order } from '@storefront/contracts'
import { freePort } from '@storefront/tools/infrastructure'
import { builtProgram, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relayed } from './events.ts'
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
  for (const variant of ['var_s', 'var_m', 'var_l', 'var_xl']) shop.stock.set(variant, 5)
  await start()
})
afterAll(async () => {
  await stop('SIGKILL')
  await shop.stop()
  await suite.stop()
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
  let order: Order
  let abandoned: { cartId: string; claim: string }
  let retried: { cartId: string; claim: string }
  const heldFor = ({ claim }: { claim: string }) =>
    shop.stock.held().filter((held) => held.startsWith(claim.replace(/1$/, '')))
  const about = async (options?: { isRelayHeld: boolean }) => ({
    placed: (await suite.eventsOf(OrderPlaced, options)).filter((event) => event.order.id === order.id).length,
    paid: (await suite.eventsOf(OrderPaid, options)).filter((event) => event.orderId === order.id).length,
  })

  beforeAll(async () => {
    const releaseRelay = await holdRelay(suite)
    order = orderOf(await checkOut(shop.addCart({ var_s: 1 }).id))
    abandoned = { cartId: shop.addCart({ var_m: 5 }).id, claim: '' }
    retried = { cartId: shop.addCart({ var_l: 5 }).id, claim: '' }
    const killed = Promise.withResolvers<void>()
    const claims: string[] = []
    shop.hooks.beforeReserved = async (claim) => {
      claims.push(claim)
      await killed.promise
    }
    const lost: Promise<unknown>[] = []
    for (const checkout of [abandoned, retried]) {
      lost.push(checkOut(checkout.cartId).catch((error: unknown) => error))
      await waitFor('the reservation', () => claims.length === lost.length)
      checkout.claim = claims.at(-1) ?? ''
    }
    await stop('SIGKILL')
    killed.resolve()
    for (const error of await Promise.all(lost)) expect(String(error)).toContain('fetch failed')
    shop.hooks.beforeReserved = undefined
    expect(await ordersOf(abandoned.cartId)).toEqual([])
    expect(heldFor(abandoned)).toEqual([abandoned.claim])
    expect(await about({ isRelayHeld: true })).toEqual({ placed: 0, paid: 0 })
    await releaseRelay()
    await start()
  })

  test('between reservation and order leaves no order, and the next buyer gets the goods', async () => {
    const { cartId, claim } = abandoned
    // No other buyer can have them while the result of the order is unknown.
    const other = shop.addCart({ var_m: 1 })
    expect(errorOf(await checkOut(other.id))).toMatchObject({ code: 'out_of_stock' })
    // The deadline of the hold passes: catalog requests the decision, which is that it was abandoned, and releases the
    // goods.
    expect(await settle(claim)).toBe('abandoned')
    expect(shop.stock.release(claim)).toBe(true)
    expect(await ordersOf(cartId)).toEqual([])

    const next = orderOf(await checkOut(cartId))
    expect(heldFor(abandoned)).toEqual([claim.replace(/1$/, '2')])
    expect(await settle(claim.replace(/1$/, '2'))).toBe('ordered')
    expect(await settle(claim)).toBe('abandoned')
    await waitFor('the payment', async () => (await ordersOf(cartId))[0]?.status === 'paid')
    const published = (await suite.eventsOf(OrderPlaced)).filter((event) => event.cartId === cartId)
    expect(published.map((event) => event.order.id)).toEqual([next.id])
  })

  test('between reservation and order sells to the same cart without waiting for the deadline', async () => {
    const { cartId } = retried
    const { id } = orderOf(await checkOut(cartId))
    expect(await ordersOf(cartId)).toMatchObject([{ id }])
    expect(heldFor(retried)).toHaveLength(1)
    expect(await settle(heldFor(retried)[0] ?? '')).toBe('ordered')
  })

  test('after commit and before publish loses no event, and has the order paid once', async () => {
    await waitFor('order.paid', async () => (await about()).paid > 0)
    await relayed(suite)
    expect(await about()).toEqual({ placed: 1, paid: 1 })
  })
})

describe('an orders service that is shut down', () => {
  test('finishes the running checkout and exits with 0', async () => {
    const { id } = shop.addCart({ var_xl: 1 })
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
