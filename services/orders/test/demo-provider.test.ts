import { manualClock } from '@storefront/service/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { Database } from '../src/database.ts'
import { createDemoProvider } from '../src/payments/demo/demo-provider.ts'
import { ProviderRejection, ProviderUnavailable, type SessionToOpen } from '../src/payments/provider.ts'
import { openDatabase } from './webhooks.ts'

const clock = manualClock('2026-03-01T12:00:00.000Z')
const HALF_AN_HOUR_MS = 30 * 60_000
let suite: Suite
let db: Database
let demo: ReturnType<typeof createDemoProvider>

beforeAll(async () => {
  suite = await createSuite('orders')
  db = openDatabase(suite)
  demo = createDemoProvider({ db, clock, publicUrl: 'https://shop.test/v1', webhookSecret: undefined })
})
afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

function checkout(): SessionToOpen {
  return {
    id: newId('payment'),
    orderId: newId('order'),
    total: { amount: 4920, currency: 'USD' },
    email: 'ada@mail.example',
    description: '1 Linen shirt',
    storeName: 'Shop',
    successUrl: undefined,
    cancelUrl: undefined,
    expiresAt: new Date(clock.now().getTime() + HALF_AN_HOUR_MS),
  }
}

async function open() {
  const session = checkout()
  const { providerSession } = await demo.openSession(session)
  return { id: session.id, providerSession }
}

const setStatus = (name: string, status: string, reference: string | null = null) =>
  suite.sql('update orders.demo_sessions set status = $2, payment_reference = $3 where id = $1', [
    name,
    status,
    reference,
  ])

describe('a session', () => {
  test('is opened once for one id, at an address below the base path that cannot be guessed', async () => {
    const session = checkout()
    const opened = await Promise.all(Array.from({ length: 10 }, () => demo.openSession(session)))
    expect(new Set(opened.map(({ providerSession }) => providerSession)).size).toBe(1)
    expect(opened[0]?.providerSession).toMatch(/^demo_cs_[0-9a-f]{32}$/)
    expect(opened[0]?.url).toBe(`https://shop.test/v1/payments/demo/${opened[0]?.providerSession}`)
    expect((await demo.openSession(checkout())).providerSession).not.toBe(opened[0]?.providerSession)
  })

  test('has no result while the buyer has not decided, also after a declined card', async () => {
    const session = await open()
    expect(await demo.inspectSession(session)).toBeUndefined()
    await setStatus(session.providerSession, 'declined')
    expect(await demo.inspectSession({ id: session.id, providerSession: null })).toBeUndefined()
    expect(await demo.inspectSession({ id: 'pay_unknown', providerSession: null })).toBeUndefined()
  })

  test('reports its result', async () => {
    const session = await open()
    await setStatus(session.providerSession, 'paid', 'demo_pay_1')
    const update = {
      kind: 'payment',
      provider: 'demo',
      sessionId: session.id,
      providerSession: session.providerSession,
    }
    expect(await demo.inspectSession(session)).toMatchObject({
      ...update,
      status: 'captured',
      reference: 'demo_pay_1',
      amount: { amount: 4920, currency: 'USD' },
    })
    await setStatus(session.providerSession, 'cancelled')
    expect(await demo.inspectSession(session)).toMatchObject({ ...update, status: 'cancelled', reference: undefined })
  })

  test('that was closed has ended, unless it was paid before', async () => {
    const [closed, paid] = [await open(), await open()]
    await setStatus(paid.providerSession, 'paid', 'demo_pay_2')
    for (const session of [closed, paid]) {
      await demo.closeSession(session)
      await demo.closeSession(session)
    }
    expect((await demo.inspectSession(closed))?.status).toBe('expired')
    expect((await demo.inspectSession(paid))?.status).toBe('captured')
    await demo.closeSession({ id: 'pay_unknown', providerSession: 'demo_cs_unknown' })
  })

  test('that has expired is closed before its expiry is reported, so that it cannot be paid afterwards', async () => {
    const session = await open()
    clock.advance(HALF_AN_HOUR_MS)
    expect((await demo.inspectSession(session))?.status).toBe('expired')
    expect(await suite.sql('select status from orders.demo_sessions where id = $1', [session.providerSession])).toEqual(
      [{ status: 'closed' }],
    )
  })
})

describe('a refund', () => {
  test('is made once for one id, succeeds, and can be looked up', async () => {
    const refund = {
      id: newId('refund'),
      paymentReference: 'demo_pay_3',
      amount: { amount: 500, currency: 'USD' },
      reason: undefined,
    }
    expect(await demo.inspectRefund({ ...refund, reference: null })).toBeUndefined()
    const made = await Promise.all(Array.from({ length: 5 }, () => demo.refund(refund)))
    expect(new Set(made.map(({ reference }) => reference)).size).toBe(1)
    expect(made[0]).toMatchObject({ status: 'succeeded' })
    expect(await demo.inspectRefund({ ...refund, reference: null })).toEqual({
      kind: 'refund',
      provider: 'demo',
      status: 'succeeded',
      reference: made[0]?.reference,
      refundId: refund.id,
      paymentReference: 'demo_pay_3',
      amount: { amount: 500, currency: 'USD' },
    })
    const other = { ...refund, amount: { amount: 501, currency: 'USD' } }
    await expect(demo.refund(other)).rejects.toThrow(ProviderRejection)
  })
})

test('a database that cannot be reached makes the provider unavailable', async () => {
  const lost = openDatabase({ ...suite, databaseUrl: () => 'postgres://nobody@127.0.0.1:9/nowhere' })
  const away = createDemoProvider({ db: lost, clock, publicUrl: 'https://shop.test', webhookSecret: undefined })
  await expect(away.openSession(checkout())).rejects.toThrow(ProviderUnavailable)
  await expect(away.inspectSession({ id: 'pay_1', providerSession: null })).rejects.toThrow(ProviderUnavailable)
  await lost.destroy()
})
