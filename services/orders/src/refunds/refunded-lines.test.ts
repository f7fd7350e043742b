import { describe, expect, test } from 'vitest'
import type { RefundedLine, RefundStatus } from '@storefront/contracts'
import { decidedUnits, unitsToRestock, refundedUnits, type OrderOfReturns } from './refunded-lines.ts'

interface Units {
  quantity?: number
  restock?: boolean
  restocked?: number
}
const line = ({ quantity = 1, restock = true, restocked = 0 }: Units = {}): RefundedLine => ({
  lineId: 'shirt',
  quantity,
  amount: { amount: 4000, currency: 'USD' },
  restock,
  restocked,
})
const refund = (id: string, status: RefundStatus, units?: Units) => ({ id, status, lines: [line(units)] })
const order = (refunds: OrderOfReturns['refunds'], more: Partial<OrderOfReturns> = {}): OrderOfReturns => ({
  status: 'paid',
  restockedAt: null,
  document: { lines: [{ id: 'shirt', quantity: 3 }] },
  refunds,
  ...more,
})
const restocks = (...given: Parameters<typeof order>) => unitsToRestock(order(...given), 'new')[0]?.quantity ?? 0

describe('a refund that has succeeded returns', () => {
  test('its units that were to be restocked', () => {
    expect(restocks([refund('new', 'succeeded', { quantity: 2 })])).toBe(2)
    expect(restocks([refund('new', 'succeeded', { restock: false })])).toBe(0)
    expect(restocks([{ id: 'new', status: 'succeeded' }])).toBe(0)
  })

  test('its units in addition to those of other refunds', () => {
    const before = refund('before', 'succeeded', { quantity: 2, restocked: 2 })
    expect(restocks([before, refund('new', 'succeeded')])).toBe(1)
  })

  test('nothing for a unit that a reversed refund already returned', () => {
    const reversed = refund('before', 'failed', { restocked: 1 })
    expect(restocks([reversed, refund('new', 'succeeded')])).toBe(0)
    expect(restocks([reversed, refund('other', 'succeeded'), refund('new', 'succeeded')])).toBe(1)
  })

  test('no more units than were bought', () => {
    const before = refund('before', 'succeeded', { quantity: 3, restocked: 3 })
    expect(restocks([before, refund('new', 'succeeded')])).toBe(0)
  })

  test('nothing after the order was canceled or its goods returned', () => {
    expect(restocks([refund('new', 'succeeded')], { status: 'cancelled' })).toBe(0)
    expect(restocks([refund('new', 'succeeded')], { restockedAt: new Date(0) })).toBe(0)
  })
})

describe('the units of a refund', () => {
  const countedBy = (units: typeof refundedUnits, ...refunds: OrderOfReturns['refunds']) =>
    units({ refunds }).get('shirt') ?? 0

  test('are no longer sent, unless it fails', () => {
    expect(countedBy(refundedUnits, refund('a', 'pending'), refund('b', 'succeeded', { quantity: 2 }))).toBe(3)
    expect(countedBy(refundedUnits, refund('a', 'failed'))).toBe(0)
  })

  test('are undecided while it is pending and would restock them', () => {
    expect(countedBy(decidedUnits, refund('a', 'pending'))).toBe(0)
    expect(countedBy(decidedUnits, refund('a', 'pending', { restock: false }))).toBe(1)
    expect(countedBy(decidedUnits, refund('a', 'succeeded', { restock: false }))).toBe(1)
  })

  test('remain returned when it is reversed', () => {
    const reversed = refund('a', 'failed', { restocked: 1 })
    expect([countedBy(refundedUnits, reversed), countedBy(decidedUnits, reversed)]).toEqual([1, 1])
    expect(countedBy(decidedUnits, reversed, refund('b', 'succeeded'))).toBe(1)
  })
})
