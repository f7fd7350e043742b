import { describe, expect, test } from 'vitest'
import type { RefundedLine, RefundStatus } from '@storefront/contracts'
import { decidedPieces, piecesToRestock, refundedPieces, type OrderOfReturns } from './refunded-lines.ts'

interface Pieces {
  quantity?: number
  restock?: boolean
  restocked?: number
}
const line = ({ quantity = 1, restock = true, restocked = 0 }: Pieces = {}): RefundedLine => ({
  lineId: 'shirt',
  quantity,
  amount: { amount: 4000, currency: 'USD' },
  restock,
  restocked,
})
const refund = (id: string, status: RefundStatus, pieces?: Pieces) => ({ id, status, lines: [line(pieces)] })
const order = (refunds: OrderOfReturns['refunds'], more: Partial<OrderOfReturns> = {}): OrderOfReturns => ({
  status: 'paid',
  restockedAt: null,
  document: { lines: [{ id: 'shirt', quantity: 3 }] },
  refunds,
  ...more,
})
const restocks = (...given: Parameters<typeof order>) => piecesToRestock(order(...given), 'new')[0]?.quantity ?? 0

describe('a refund that has succeeded returns', () => {
  test('its pieces, as far as it was to return them', () => {
    expect(restocks([refund('new', 'succeeded', { quantity: 2 })])).toBe(2)
    expect(restocks([refund('new', 'succeeded', { restock: false })])).toBe(0)
    expect(restocks([{ id: 'new', status: 'succeeded' }])).toBe(0)
  })

  test('its pieces beside those of other refunds', () => {
    const before = refund('before', 'succeeded', { quantity: 2, restocked: 2 })
    expect(restocks([before, refund('new', 'succeeded')])).toBe(1)
  })

  test('no piece that came back with a refund that was reversed, and the next one again', () => {
    const reversed = refund('before', 'failed', { restocked: 1 })
    expect(restocks([reversed, refund('new', 'succeeded')])).toBe(0)
    expect(restocks([reversed, refund('other', 'succeeded'), refund('new', 'succeeded')])).toBe(1)
  })

  test('no more pieces than were bought', () => {
    const before = refund('before', 'succeeded', { quantity: 3, restocked: 3 })
    expect(restocks([before, refund('new', 'succeeded')])).toBe(0)
  })

  test('nothing after the order was cancelled or its goods returned', () => {
    expect(restocks([refund('new', 'succeeded')], { status: 'cancelled' })).toBe(0)
    expect(restocks([refund('new', 'succeeded')], { restockedAt: new Date(0) })).toBe(0)
  })
})

describe('the pieces of a refund', () => {
  const countedBy = (pieces: typeof refundedPieces, ...refunds: OrderOfReturns['refunds']) =>
    pieces({ refunds }).get('shirt') ?? 0

  test('are not sent any more, unless it fails', () => {
    expect(countedBy(refundedPieces, refund('a', 'pending'), refund('b', 'succeeded', { quantity: 2 }))).toBe(3)
    expect(countedBy(refundedPieces, refund('a', 'failed'))).toBe(0)
  })

  test('are left to the end of the order while it is pending and would return them', () => {
    expect(countedBy(decidedPieces, refund('a', 'pending'))).toBe(0)
    expect(countedBy(decidedPieces, refund('a', 'pending', { restock: false }))).toBe(1)
    expect(countedBy(decidedPieces, refund('a', 'succeeded', { restock: false }))).toBe(1)
  })

  test('stay back when it is reversed', () => {
    const reversed = refund('a', 'failed', { restocked: 1 })
    expect([countedBy(refundedPieces, reversed), countedBy(decidedPieces, reversed)]).toEqual([1, 1])
    expect(countedBy(decidedPieces, reversed, refund('b', 'succeeded'))).toBe(1)
  })
})
