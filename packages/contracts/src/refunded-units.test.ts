import { array, assert, boolean, nat, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unitsToRefund, priceOfUnits, type OrderOfUnits } from './refunded-units.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
type Refund = OrderOfUnits['refunds'][number]

function orderOf(paid: number, lines: [number, number][], refunds: Refund[] = []): OrderOfUnits {
  return {
    lines: lines.map(([price, quantity], place) => ({ id: `line_${place}`, quantity, unitPrice: usd(price) })),
    paidForLines: usd(paid),
    refunds,
  }
}
const refundOf = (status: Refund['status'], ...lines: [number, number, number][]): Refund => ({
  status,
  lines: lines.map(([place, quantity, amount]) => ({ lineId: `line_${place}`, quantity, amount: usd(amount) })),
})
const priceOf = (order: OrderOfUnits, place: number, quantity: number) =>
  priceOfUnits(order, [{ lineId: `line_${place}`, quantity }]).map(({ amount }) => amount.amount)

describe('what the buyer paid for units', () => {
  test('is their share of the amount for all lines, by price', () => {
    // Two shirts of 40 and a hat of 20, with 10 percent off and 8 percent of tax.
    const order = orderOf(9720, [
      [4000, 2],
      [2000, 1],
    ])
    expect(priceOf(order, 0, 1)).toEqual([3888])
    expect(priceOf(order, 0, 2)).toEqual([7776])
    expect(priceOf(order, 1, 1)).toEqual([1944])
  })

  test('has the cents that do not divide evenly once', () => {
    const order = orderOf(100, [[40, 3]])
    expect(priceOf(order, 0, 1)).toEqual([33])
    const once = { ...order, refunds: [refundOf('succeeded', [0, 1, 33])] }
    expect(priceOf(once, 0, 1)).toEqual([34])
    expect(priceOf({ ...once, refunds: [...once.refunds, refundOf('pending', [0, 1, 34])] }, 0, 1)).toEqual([33])
  })

  test('is nothing for units that cost nothing', () => {
    expect(priceOf(orderOf(0, [[0, 1]]), 0, 1)).toEqual([0])
    expect(priceOf(orderOf(0, [[4000, 1]]), 0, 1)).toEqual([0])
  })

  test('adds up to the amount for all lines, in whatever parts and order they are refunded, also when some fail', () => {
    const lines = array(record({ price: nat(1000), quantity: nat({ max: 6 }).map((more) => more + 1) }), {
      minLength: 1,
      maxLength: 4,
    })
    const attempts = array(record({ line: nat(3), quantity: nat({ max: 3 }), fails: boolean() }), { maxLength: 30 })
    assert(
      property(lines, nat(20_000), attempts, (bought, paid, steps) => {
        const order = orderOf(
          paid,
          bought.map(({ price, quantity }) => [price, quantity]),
        )
        const made: Refund[] = []
        const refund = (lineId: string, quantity: number, fails: boolean) => {
          const now = { ...order, refunds: made }
          const possible = Math.min(quantity, unitsToRefund(now).get(lineId) ?? 0)
          if (possible === 0) return
          const lines = priceOfUnits(now, [{ lineId, quantity: possible }])
          made.push({ status: fails ? 'failed' : 'succeeded', lines })
        }
        for (const { line, quantity, fails } of steps) refund(`line_${line % bought.length}`, quantity, fails)
        // A refund that succeeded is reversed.
        const reversed = made.find(({ status }) => status === 'succeeded')
        if (reversed) made.splice(made.indexOf(reversed), 1)
        for (const { id, quantity } of order.lines) for (let unit = 0; unit < quantity; unit++) refund(id, 1, false)
        const kept = made.filter(({ status }) => status === 'succeeded').flatMap((each) => each.lines ?? [])
        expect([...unitsToRefund({ ...order, refunds: made }).values()].every((left) => left === 0)).toBe(true)
        const sum = kept.reduce((total, { amount }) => total + amount.amount, 0)
        expect(sum).toBe(bought.some(({ price }) => price > 0) ? paid : 0)
      }),
    )
  })
})

describe('the units that may still be refunded', () => {
  const bought = orderOf(100, [[40, 3]])
  const left = (...refunds: Refund[]) => unitsToRefund({ ...bought, refunds }).get('line_0')

  test('are those that were bought, without those of pending and successful refunds', () => {
    expect(left()).toBe(3)
    expect(left(refundOf('succeeded', [0, 1, 33]), refundOf('pending', [0, 1, 34]))).toBe(1)
    expect(left(refundOf('failed', [0, 2, 67]), { status: 'succeeded' })).toBe(3)
  })

  test('are none when a refund that had failed succeeded after all', () => {
    expect(left(refundOf('succeeded', [0, 3, 100]), refundOf('succeeded', [0, 1, 33]))).toBe(0)
  })
})
