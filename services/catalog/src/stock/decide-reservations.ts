import type { Shortfall, StockShare } from '@storefront/contracts'

export interface ReservationRequest {
  reservationId: string
  lines: readonly { variantId: string; quantity: number }[]
  expiresAt: Date
  /** The limits of a checkout that waits for its payment. */
  unpaid?: { perBuyer: StockShare; all: StockShare } | undefined
}

export interface StockRow {
  variantId: string
  onHand: number
  reserved: number
  /** Whether the variant still exists and its product is published. */
  sellable: boolean
}

export interface KnownReservation {
  id: string
  generation: number
  status: 'held' | 'sold' | 'released'
  expiresAt: Date
}

export type Decision =
  | { kind: 'held'; generation: number; expiresAt: Date; lines: { variantId: string; quantity: number }[] }
  | { kind: 'again'; generation: number; expiresAt: Date; isExtended: boolean }
  | { kind: 'rejected'; shortfalls: Shortfall[] }

/** A hold is not extended by less than this, so that a simultaneous repetition of a request changes nothing. */
const MIN_EXTENSION_MS = 1000

/**
 * Decides a batch of reservations in the order of their arrival: all lines of a request or none. A reservation that is
 * held or sold gets the same reply again, and a held one is extended to the latest deadline. One that was released is
 * decided again.
 */
export function decideReservations(
  requests: readonly ReservationRequest[],
  stock: readonly StockRow[],
  known: readonly KnownReservation[],
): Decision[] {
  const left = new Map(stock.map((row) => [row.variantId, row.sellable ? row.onHand - row.reserved : 0]))
  const onHand = new Map(stock.map((row) => [row.variantId, row.onHand]))
  const shortfallOf = (
    { variantId, quantity: wanted }: ReservationRequest['lines'][number],
    unpaid: ReservationRequest['unpaid'],
  ): Shortfall | undefined => {
    const available = left.get(variantId) ?? 0
    if (available < wanted) return { variantId, wanted, available }
    if (!unpaid) return undefined
    const units = onHand.get(variantId) ?? 0
    const perBuyer = unitsOf(unpaid.perBuyer, units)
    if (perBuyer < wanted) return { variantId, wanted, available: Math.min(available, perBuyer), limit: 'buyer' }
    const room = Math.max(0, unitsOf(unpaid.all, units) - (units - available))
    return room < wanted ? { variantId, wanted, available: room, limit: 'all' } : undefined
  }
  const reservations = new Map(known.map((reservation) => [reservation.id, { ...reservation }]))
  return requests.map((request) => {
    const before = reservations.get(request.reservationId)
    if (before && before.status !== 'released') {
      const laterMs = request.expiresAt.getTime() - before.expiresAt.getTime()
      const isExtended = before.status === 'held' && laterMs >= MIN_EXTENSION_MS
      if (isExtended) before.expiresAt = request.expiresAt
      return { kind: 'again', generation: before.generation, expiresAt: before.expiresAt, isExtended }
    }
    const lines = joinLines(request.lines)
    const shortfalls = lines.flatMap((line) => shortfallOf(line, request.unpaid) ?? [])
    if (shortfalls.length > 0) return { kind: 'rejected', shortfalls }
    for (const { variantId, quantity } of lines) left.set(variantId, (left.get(variantId) ?? 0) - quantity)
    const generation = (before?.generation ?? 0) + 1
    const { expiresAt } = request
    reservations.set(request.reservationId, { id: request.reservationId, generation, status: 'held', expiresAt })
    return { kind: 'held', generation, expiresAt, lines }
  })
}

/** The number of units in a share of the units on hand, held ones included. */
export function unitsOf({ percent, leastUnits }: StockShare, onHand: number): number {
  return Math.max(leastUnits, Math.ceil((onHand * percent) / 100))
}

/** Adds up lines of the same variant, and sorts them, so that equal requests are equal rows. */
export function joinLines(lines: ReservationRequest['lines']): { variantId: string; quantity: number }[] {
  const quantities = new Map<string, number>()
  for (const { variantId, quantity } of lines) quantities.set(variantId, (quantities.get(variantId) ?? 0) + quantity)
  return [...quantities]
    .map(([variantId, quantity]) => ({ variantId, quantity }))
    .toSorted((one, other) => (one.variantId < other.variantId ? -1 : 1))
}

/** Identifies one hold of a reservation. Every operation on a hold uses its claim. */
export function claimOf(reservationId: string, generation: number): string {
  return `${reservationId}.${generation}`
}
