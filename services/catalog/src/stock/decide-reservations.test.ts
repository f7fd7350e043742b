import { describe, expect, test } from 'vitest'
import { decideReservations, joinLines, type KnownReservation, type ReservationRequest } from './decide-reservations.ts'

const EXPIRES_AT = new Date('2026-03-02T10:00:00Z')
const SOONER = new Date(EXPIRES_AT.getTime() - 60_000)
const LATER = new Date(EXPIRES_AT.getTime() + 1000)

const stockOf = (onHand: number, reserved = 0) => [{ variantId: 'var_m', onHand, reserved, sellable: true }]
const request = (reservationId: string, quantity: number, more: Partial<ReservationRequest> = {}) => ({
  reservationId,
  lines: [{ variantId: 'var_m', quantity }],
  expiresAt: EXPIRES_AT,
  ...more,
})
const held = (more: Partial<KnownReservation> = {}): KnownReservation => ({
  id: 'res_1',
  generation: 3,
  status: 'held',
  expiresAt: EXPIRES_AT,
  ...more,
})

describe('the requests of a batch', () => {
  test('get units in the order of their arrival, and a rejected one gets the number of remaining units', () => {
    const requests = [request('res_1', 3), request('res_2', 4), request('res_3', 2)]
    expect(decideReservations(requests, stockOf(7, 2), [])).toEqual([
      { kind: 'held', generation: 1, expiresAt: EXPIRES_AT, lines: [{ variantId: 'var_m', quantity: 3 }] },
      { kind: 'rejected', shortfalls: [{ variantId: 'var_m', wanted: 4, available: 2 }] },
      { kind: 'held', generation: 1, expiresAt: EXPIRES_AT, lines: [{ variantId: 'var_m', quantity: 2 }] },
    ])
  })

  test('with the same id hold the goods only once', () => {
    const [first, second, other] = decideReservations(
      [request('res_1', 3), request('res_1', 3, { expiresAt: LATER }), request('res_2', 4)],
      stockOf(7),
      [],
    )
    expect(first).toMatchObject({ kind: 'held', generation: 1 })
    expect(second).toEqual({ kind: 'again', generation: 1, expiresAt: LATER, isExtended: true })
    expect(other).toMatchObject({ kind: 'held', generation: 1 })
  })

  test('get no units of goods that are unknown or not for sale', () => {
    const goods = [{ variantId: 'var_m', onHand: 7, reserved: 0, sellable: false }]
    const lines = [{ variantId: 'var_unknown', quantity: 1 }]
    expect(decideReservations([request('res_1', 1), request('res_2', 1, { lines })], goods, [])).toEqual([
      { kind: 'rejected', shortfalls: [{ variantId: 'var_m', wanted: 1, available: 0 }] },
      { kind: 'rejected', shortfalls: [{ variantId: 'var_unknown', wanted: 1, available: 0 }] },
    ])
  })
})

describe('a reservation that was made before', () => {
  test.each([
    ['a second later', 'held', LATER, LATER, true],
    ['less than a second later', 'held', new Date(LATER.getTime() - 1), EXPIRES_AT, false],
    ['sooner', 'held', SOONER, EXPIRES_AT, false],
    ['later, when it is sold', 'sold', LATER, EXPIRES_AT, false],
  ] as const)('is not decided again; requested until %s', (_when, status, expiresAt, until, isExtended) => {
    expect(decideReservations([request('res_1', 9, { expiresAt })], stockOf(7), [held({ status })])).toEqual([
      { kind: 'again', generation: 3, expiresAt: until, isExtended },
    ])
  })

  test('and was released is decided again, under the next generation', () => {
    const known = [held({ status: 'released' })]
    expect(decideReservations([request('res_1', 7)], stockOf(7), known)).toMatchObject([
      { kind: 'held', generation: 4 },
    ])
    expect(decideReservations([request('res_1', 8)], stockOf(7), known)).toMatchObject([{ kind: 'rejected' }])
  })
})

describe('a checkout that waits for its payment', () => {
  const share = (percent: number, leastUnits = 1) => ({ percent, leastUnits })

  test.each([
    ['as much as one buyer may hold', 2, 0, 'held', undefined],
    ['more than one buyer may hold', 3, 0, 'rejected', { available: 2, limit: 'buyer' }],
    ['more than all unpaid buyers may hold together', 2, 4, 'rejected', { available: 1, limit: 'all' }],
    ['units when unpaid buyers already hold as many as they may', 1, 5, 'rejected', { available: 0, limit: 'all' }],
    ['more than there are', 2, 9, 'rejected', { available: 1 }],
  ])('wants %s', (_what, quantity, reserved, kind, shortfall) => {
    const unpaid = { perBuyer: share(20), all: share(50) }
    const [decision] = decideReservations([request('res_1', quantity, { unpaid })], stockOf(10, reserved), [])
    const shortfalls = shortfall && [{ variantId: 'var_m', wanted: quantity, ...shortfall }]
    expect(decision).toMatchObject({ kind, ...(shortfalls && { shortfalls }) })
  })

  test('gets the minimum number of units of a small stock', () => {
    const unpaid = { perBuyer: share(10, 3), all: share(10, 3) }
    expect(decideReservations([request('res_1', 3, { unpaid })], stockOf(3), [])).toMatchObject([{ kind: 'held' }])
  })
})

test('lines of one variant are added up, and equal requests have their lines in the same order', () => {
  const lines = [
    { variantId: 'var_s', quantity: 1 },
    { variantId: 'var_m', quantity: 2 },
    { variantId: 'var_s', quantity: 3 },
    { variantId: 'var_l', quantity: 1 },
  ]
  const joined = [
    { variantId: 'var_l', quantity: 1 },
    { variantId: 'var_m', quantity: 2 },
    { variantId: 'var_s', quantity: 4 },
  ]
  expect([joinLines(lines), joinLines(lines.toReversed())]).toEqual([joined, joined])
})
