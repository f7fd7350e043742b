import { describe, expect, test } from 'vitest'
import {
  isPartlyFulfilled,
  remainingAfter,
  remainingToFulfil,
  unitsToPack,
  type SendableOrder,
} from './remaining-to-fulfil.ts'

const lines = [
  { id: 'shirt', title: 'Linen shirt', quantity: 3 },
  { id: 'hat', title: 'Straw hat', quantity: 1 },
]
const order = (change: Partial<SendableOrder> = {}): SendableOrder => ({
  status: 'paid',
  document: { lines },
  fulfilments: [],
  refunds: [],
  ...change,
})
const parcel = (...sent: [string, number][]) => ({ lines: sent.map(([lineId, quantity]) => ({ lineId, quantity })) })
const refunded = (quantity: number): SendableOrder['refunds'] => {
  const amount = { amount: 4000, currency: 'USD' }
  return [{ status: 'succeeded', lines: [{ lineId: 'shirt', quantity, amount, restock: true, restocked: 1 }] }]
}

describe('what is left to send', () => {
  test('is everything before the first parcel, and less after each', () => {
    expect(remainingToFulfil(order())).toEqual(parcel(['shirt', 3], ['hat', 1]).lines)
    const fulfilments = [parcel(['shirt', 1]), parcel(['shirt', 1], ['hat', 1])]
    expect(remainingToFulfil(order({ fulfilments }))).toEqual(parcel(['shirt', 1]).lines)
  })

  test.each(['fulfilled', 'delivered', 'cancelled'] as const)('is nothing of an order that is %s', (status) => {
    expect(remainingToFulfil(order({ status }))).toEqual([])
    expect(isPartlyFulfilled(order({ status, fulfilments: [parcel(['hat', 1])] }))).toBe(false)
  })

  test('excludes refunded units that were not sent', () => {
    expect(remainingToFulfil(order({ refunds: refunded(1) }))).toEqual(parcel(['shirt', 2], ['hat', 1]).lines)
    const fulfilments = [parcel(['shirt', 2])]
    expect(remainingToFulfil(order({ fulfilments, refunds: refunded(2) }))).toEqual(parcel(['hat', 1]).lines)
  })

  test('shrinks by the units of a new parcel', () => {
    expect(remainingAfter(order(), parcel(['shirt', 2]).lines)).toEqual(parcel(['shirt', 1], ['hat', 1]).lines)
    expect(remainingAfter(order(), parcel(['shirt', 3], ['hat', 1]).lines)).toEqual([])
  })

  test('limits a parcel, which cannot contain unknown lines', () => {
    const fulfilments = [parcel(['shirt', 2], ['hat', 1])]
    expect(() => remainingAfter(order({ fulfilments }), parcel(['shirt', 2]).lines)).toThrow(
      'Only 1 × Linen shirt is left to send. The parcel was not sent.',
    )
    expect(() => remainingAfter(order({ fulfilments }), parcel(['hat', 1]).lines)).toThrow(
      'No Straw hat is left to send. The parcel was not sent.',
    )
    expect(() => remainingAfter(order(), parcel(['sock', 1]).lines)).toThrow('This order has no line sock.')
  })
})

describe('what is packed', () => {
  const packed = (change: Partial<SendableOrder>) => Object.fromEntries(unitsToPack(order(change)))

  test('is what was sent and what is left to send', () => {
    expect(packed({ fulfilments: [parcel(['shirt', 1])] })).toEqual({ shirt: 3, hat: 1 })
    expect(packed({ refunds: refunded(3) })).toEqual({ shirt: 0, hat: 1 })
    expect(packed({ fulfilments: [parcel(['shirt', 1])], refunds: refunded(1) })).toEqual({ shirt: 2, hat: 1 })
  })

  test('still has units that were refunded after they were sent', () => {
    const fulfilments = [parcel(['shirt', 2], ['hat', 1])]
    expect(packed({ status: 'fulfilled', fulfilments, refunds: refunded(2) })).toEqual({ shirt: 2, hat: 1 })
    expect(packed({ status: 'fulfilled', refunds: refunded(2) })).toEqual({ shirt: 3, hat: 1 })
  })
})
