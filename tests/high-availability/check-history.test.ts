import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkHistory } from './check-history.ts'
import { correctRun, emailOf, LAST, orderIdOf, PURCHASES, SHIRT, type Purchase, type Run } from './correct-run.ts'
import type { OrderRecord } from './order-record.ts'
import { VIOLATIONS } from './violation.ts'

const BUYER = Object.fromEntries(PURCHASES.map((purchase, buyer) => [purchase, buyer]))

const check = ({ operations, before, after, fencedWrites }: Run) =>
  checkHistory(operations, before, after, fencedWrites)
const numberOf = (purchase: Purchase): number => BUYER[purchase] ?? -1

function orderOf({ after }: Run, purchase: Purchase): OrderRecord {
  const order = after.orders.find(({ id }) => id === orderIdOf(numberOf(purchase)))
  if (!order) throw new Error(`${purchase} has no order`)
  return order
}

function removeOrder({ after }: Run, id: string): void {
  after.orders = after.orders.filter((order) => order.id !== id)
}

/** Each changes a correct run of one purchase of every kind in one place. */
const TAMPERED: readonly [what: string, kind: (typeof VIOLATIONS)[number], tamper: (run: Run) => void][] = [
  [
    'a cart is not found that was acknowledged',
    'cart lost',
    ({ operations }) => {
      const buyer = numberOf('rejected')
      const added = operations.find((each) => each.buyer === buyer && each.action.kind === 'add-line')
      Object.assign(added ?? {}, { outcome: 'fail', status: 404, code: 'cart_not_found' })
    },
  ],
  [
    'a cart is not found at its checkout',
    'cart lost',
    ({ operations }) => {
      const buyer = numberOf('rejected')
      const checkout = operations.find((each) => each.buyer === buyer && each.action.kind === 'checkout')
      Object.assign(checkout ?? {}, { outcome: 'fail', status: 404, code: 'cart_not_found' })
    },
  ],
  ['an acknowledged order is missing', 'order lost', (run) => removeOrder(run, orderIdOf(numberOf('acknowledged')))],
  ['an order that only its mails and its event name is missing', 'order lost', removeUnacknowledged],
  [
    'an order of the time before is missing',
    'order lost',
    ({ after, before }) => (after.orders = after.orders.filter(({ id }) => id !== before.orders[0]?.id)),
  ],
  ['the total of an order is another one', 'order changed', (run) => (orderOf(run, 'acknowledged').totalMinor += 1)],
  [
    'an order of a checkout without response has other lines than the cart had',
    'order changed',
    (run) => {
      for (const line of orderOf(run, 'unknown').lines) if (line.variantId === SHIRT) line.quantity += 1
      takeUnits(run, 1)
    },
  ],
  ['a checkout has become two orders', 'order duplicated', (run) => addOrder(run, emailOf(numberOf('repeated')))],
  ['an order belongs to no buyer', 'order from nowhere', (run) => addOrder(run, 'outsider@example.com')],
  ['a rejected checkout has an order', 'order from nowhere', (run) => addOrder(run, emailOf(numberOf('rejected')))],
  [
    'a buyer does not find an acknowledged order',
    'order disappeared',
    ({ operations }) => {
      const read = operations.findLast(({ action }) => action.kind === 'read-order')
      if (!read) throw new Error('no order was read')
      Object.assign(read, { outcome: 'fail', status: 404, code: 'not_found', result: undefined })
    },
  ],
  [
    'an order is paid and later only placed',
    'order went back',
    ({ operations }) => {
      const [first, second] = operations.filter(({ action }) => action.kind === 'read-order')
      if (!first || !second) throw new Error('no order was read twice')
      ;[first.result, second.result] = [second.result, first.result]
    },
  ],
  [
    'a payment that was published is still expected',
    'order went back',
    (run) => {
      const order = orderOf(run, 'unknown')
      Object.assign(order, { status: 'placed', payment: { provider: 'invoice', status: 'pending' } })
      run.after.mails = run.after.mails.filter(
        ({ kind, orderNumber }) => kind === 'orderPlaced' || orderNumber !== order.number,
      )
    },
  ],
  ['a checkout is rejected although there are enough units', 'rejected for no reason', (run) => setUnitsOfLast(run, 2)],
  [
    'a line of a cart is rejected although there are enough units',
    'rejected for no reason',
    ({ operations }) => {
      const added = operations.find(({ action }) => action.kind === 'add-line')
      Object.assign(added ?? {}, { outcome: 'fail', status: 409, code: 'insufficient_inventory' })
    },
  ],
  ['the stock has more units than were left', 'units oversold', (run) => takeUnits(run, -1)],
  ['the stock has fewer units than were left', 'units lost', (run) => takeUnits(run, 1)],
  ['more units are reserved than there are', 'units oversold', ({ after }) => reserve(after.stock[0], 5000)],
  [
    'a mail is missing',
    'mail missing',
    ({ after }) => {
      after.mails.shift()
    },
  ],
  ['a mail was sent twice', 'mail twice', ({ after }) => after.mails.push(...after.mails.slice(0, 1))],
  [
    'an event did not arrive',
    'event lost',
    (run) => {
      const { id } = orderOf(run, 'page')
      run.after.events = run.after.events.filter(({ orderId }) => orderId !== id)
    },
  ],
  [
    'a consumer has no receipt of an event',
    'event lost',
    ({ after }) => after.unconsumed.push({ id: 'evt_placed', name: 'order.placed', consumer: 'catalog-order-placed' }),
  ],
  ['two events have one id', 'event changed', ({ after }) => Object.assign(after.events[0] ?? {}, { payload: '{}' })],
  ['an event has two ids', 'event twice', ({ after }) => Object.assign(after.events[0] ?? {}, { id: 'evt_other' })],
  [
    'a buyer has paid and has no order',
    'payment without order or refund',
    ({ after }) => after.payments.push({ id: 'pi_other', sessionId: 'session_other', isRefunded: false }),
  ],
  [
    'a payment was refunded that has an order',
    'payment with order and refund',
    ({ after }) => Object.assign(after.payments[0] ?? {}, { isRefunded: true }),
  ],
  [
    'the payment of a canceled order was kept',
    'payment without order or refund',
    (run) => {
      const order = orderOf(run, 'cancelled')
      Object.assign(order, { refunds: [], payment: { provider: 'demo', status: 'captured' } })
      run.after.mails = run.after.mails.filter(({ kind }) => kind !== 'refunded')
    },
  ],
  [
    'a row is missing that a primary acknowledged while it was cut off',
    'write of a fenced primary lost',
    ({ fencedWrites }) => {
      fencedWrites.stored.shift()
    },
  ],
]

function takeUnits({ after }: Run, units: number): void {
  for (const level of after.stock) if (level.variantId === SHIRT) level.onHand -= units
}

function setUnitsOfLast({ before, after }: Run, units: number): void {
  for (const level of [...before.stock, ...after.stock]) if (level.variantId === LAST) level.onHand = units
}

function reserve(level: { reserved: number } | undefined, units: number): void {
  if (level) level.reserved = units
}

/** An order with all of its effects. */
function addOrder(run: Run, email: string): void {
  const number = 'SF-99999'
  const order = { ...structuredClone(orderOf(run, 'acknowledged')), id: 'order_more', number, email }
  run.after.orders.push(order)
  for (const level of run.after.stock) {
    for (const line of order.lines) if (line.variantId === level.variantId) level.onHand -= line.quantity
  }
  for (const kind of ['orderPlaced', 'paymentCaptured']) {
    run.after.mails.push({ kind, orderNumber: number, to: email })
  }
  run.after.events.push({ id: 'evt_more', type: 'order.paid', orderId: order.id, payload: '{"id":"evt_more"}' })
}

/** Also its units, which no response names. */
function removeUnacknowledged(run: Run): void {
  const order = orderOf(run, 'unknown')
  removeOrder(run, order.id)
  for (const level of run.after.stock) {
    for (const line of order.lines) if (line.variantId === level.variantId) level.onHand += line.quantity
  }
  run.after.mails = run.after.mails.filter(({ orderNumber }) => orderNumber !== order.number)
}

describe('the checker', () => {
  test('finds nothing in a correct history, and says how much it compared', () => {
    expect(check(correctRun(PURCHASES))).toMatchObject({
      violations: [],
      counts: {
        buyers: 8,
        acknowledged: 4,
        rejected: 2,
        unknown: 2,
        unknownWithOrder: 1,
        orders: 5,
        unitsSold: 12,
        payments: 1,
      },
    })
  })

  test.each(TAMPERED)('finds that %s: %s', (_what, kind, tamper) => {
    const run = correctRun(PURCHASES)
    tamper(run)
    const { violations, found } = check(run)
    expect(violations.map((violation) => violation.kind)).toEqual([kind])
    expect(found[kind]).toBe(1)
  })

  test('has a tampered history for every kind of violation', () => {
    expect(new Set(TAMPERED.map(([, kind]) => kind))).toEqual(new Set(VIOLATIONS))
  })

  test('accepts every correct history, and reports exactly the acknowledged order that is removed from one', () => {
    const purchases = fc.array(fc.constantFrom(...PURCHASES), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(purchases, fc.nat(), (made, chosen) => {
        const run = correctRun(made)
        expect(check(run).violations).toEqual([])
        const acknowledged = run.operations.flatMap(({ result }) => result?.order?.id ?? [])
        const removed = acknowledged[chosen % acknowledged.length]
        if (removed === undefined) return
        removeOrder(run, removed)
        expect(check(run).violations).toMatchObject([{ kind: 'order lost', subject: removed }])
      }),
    )
  })

  test('accepts a missing mail whose delivery the shop calls uncertain, and not a second one', () => {
    const run = correctRun(['acknowledged'])
    const [mail] = run.after.mails
    if (!mail) throw new Error('there is no mail')
    run.after.uncertainMails.push(mail)
    expect(check(run).violations).toEqual([])
    run.after.mails.shift()
    expect(check(run).violations).toEqual([])
    run.after.mails.push(mail, mail)
    expect(check(run).violations.map(({ kind }) => kind)).toEqual(['mail twice'])
  })

  test('accepts a rejection when another checkout may have the units', () => {
    const run = correctRun(['unknown without order', 'sold out'])
    const [first] = run.operations.flatMap(({ action }) => (action.kind === 'checkout' ? [action] : []))
    if (!first) throw new Error('there is no checkout')
    setUnitsOfLast(run, 2)
    expect(check(run).violations.map(({ kind }) => kind)).toEqual(['rejected for no reason'])
    first.lines = [{ variantId: LAST, quantity: 1 }]
    expect(check(run).violations).toEqual([])
  })

  test('accepts a payment that was refunded and has no order', () => {
    const run = correctRun(['page'])
    run.after.payments.push({ id: 'pi_other', sessionId: 'session_other', isRefunded: true })
    expect(check(run)).toMatchObject({ violations: [], counts: { payments: 2 } })
  })

  test('does not count the units of a lost order as lost, whether they left the stock or not', () => {
    const run = correctRun(['acknowledged'])
    removeOrder(run, orderIdOf(0))
    const kinds = () => check(run).violations.map(({ kind }) => kind)
    expect(kinds()).toEqual(['order lost'])
    takeUnits(run, -2)
    expect(kinds()).toEqual(['order lost'])
    takeUnits(run, -1)
    expect(kinds()).toEqual(['order lost', 'units oversold'])
  })

  test('does not report again what was lost before the load began', () => {
    const earlier = correctRun(['acknowledged'])
    removeOrder(earlier, orderIdOf(0))
    expect(checkHistory([], earlier.after, structuredClone(earlier.after)).violations).toEqual([])
  })
})
