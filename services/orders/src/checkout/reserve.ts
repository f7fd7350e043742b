import { createHash } from 'node:crypto'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReserveInventory, type CartLine, type Shortfall, type StockShare } from '@storefront/contracts'
import type { ShortLine } from '../errors.ts'

export type Reserved =
  | {
      claim: string
      /** Units that one buyer may hold without payment, where that is limited. */
      perBuyer: { variantId: string; units: number }[]
    }
  | { short: ShortLine[] }

/**
 * Reserves the goods of a cart, all lines or none. The reservation's id is derived from the cart and its lines: a
 * repeated call gets the same hold, and after its release a new generation of it.
 * @param unpaid how much of the stock may be held without payment, for a checkout that waits for one
 * @throws DependencyUnavailable when catalog does not reply
 */
export async function reserve(
  messaging: Messaging,
  cart: { cartId: string; lines: readonly CartLine[] },
  ttlSeconds: number,
  unpaid?: { perBuyer: StockShare; all: StockShare },
): Promise<Reserved> {
  const lines = cart.lines.map(({ variantId, quantity }) => ({ variantId, quantity }))
  const reservationId = reservationIdOf(cart)
  const reply = await sendRequest(messaging, ReserveInventory, { reservationId, lines, ttlSeconds, unpaid })
  if (reply.held) return { claim: reply.claim, perBuyer: reply.perBuyer ?? [] }
  return { short: reply.shortfalls.flatMap((shortfall) => shortLines(cart.lines, shortfall)) }
}

/** Whether this hold is what `reserve` returns for the cart. */
export function isHoldOf(claim: string | null, cart: { cartId: string; lines: readonly CartLine[] }): boolean {
  return claim !== null && claim.startsWith(`${reservationIdOf(cart)}.`)
}

function reservationIdOf({ cartId, lines }: { cartId: string; lines: readonly CartLine[] }): string {
  const content = lines.map(({ variantId, quantity }) => `${variantId}:${quantity}`).toSorted()
  return `res_${createHash('sha256')
    .update([cartId, ...content].join('\n'))
    .digest('hex')
    .slice(0, 40)}`
}

function shortLines(lines: readonly CartLine[], { variantId, wanted, available, limit }: Shortfall): ShortLine[] {
  return lines
    .filter((line) => line.variantId === variantId)
    .map(({ id, title, options }) => ({
      lineId: id,
      variantId,
      title,
      options,
      wanted,
      available,
      ...(limit && { limit }),
    }))
}
