import { ORDER_STATUSES, type OrderStatus } from '@storefront/contracts'
import { describe, expect, test } from 'vitest'
import { mayBecome, TRANSITIONS } from './transitions.ts'

/** The transitions of docs/contract.md, one by one. */
const DOCUMENTED: [OrderStatus, OrderStatus][] = [
  ['placed', 'paid'],
  ['placed', 'fulfilled'],
  ['placed', 'cancelled'],
  ['paid', 'fulfilled'],
  ['paid', 'cancelled'],
  ['fulfilled', 'delivered'],
]

describe('an order', () => {
  test('can reach every status', () => {
    expect(unreachable()).toEqual([])
    expect(unreachable({ ...TRANSITIONS, placed: ['cancelled'] })).toEqual(['paid', 'fulfilled', 'delivered'])
    expect(Object.keys(TRANSITIONS)).toEqual([...ORDER_STATUSES])
  })

  test('allows exactly the documented transitions', () => {
    const allowed = ORDER_STATUSES.flatMap((from) =>
      ORDER_STATUSES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
    )
    expect(allowed.toSorted()).toEqual(DOCUMENTED.map(([from, to]) => `${from} → ${to}`).toSorted())
  })

  test('never changes to its own status, and ends at delivered or cancelled', () => {
    for (const status of ORDER_STATUSES) expect(mayBecome(status, status)).toBe(false)
    expect([TRANSITIONS.delivered, TRANSITIONS.cancelled]).toEqual([[], []])
  })
})

/** Statuses that no order can ever reach. */
function unreachable(transitions = TRANSITIONS): OrderStatus[] {
  const reached = new Set<OrderStatus>(['placed'])
  for (const status of reached) for (const next of transitions[status]) reached.add(next)
  return ORDER_STATUSES.filter((status) => !reached.has(status))
}
