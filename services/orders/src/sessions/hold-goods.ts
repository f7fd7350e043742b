import type { CartLine, StockShare } from '@storefront/contracts'
import { giveUp } from '../checkout/give-up.ts'
import { isHoldOf, reserve, type Reserved } from '../checkout/reserve.ts'
import type { OrdersContext } from '../context.ts'
import type { ShortLine } from '../errors.ts'
import { closeAtProvider } from './release-sessions.ts'
import { UPDATE_GRACE_SECONDS, type StoredSession } from './session.ts'
import { endSessions, findHoldingSessions } from './sessions.queries.ts'

/** Longer than a request to catalog takes: what was given up before is free by now, or waits for its deadline. */
const RELEASE_MS = 5000

interface Goods {
  cartId: string
  lines: readonly CartLine[]
  /** Every id of the cart, and of its lines. */
  cartIds: readonly string[]
  lineIds: readonly string[]
  /** The redemption that they are sold with, which stays held when an ended page has the same one. */
  discountClaim: string | null
}

interface Terms {
  ttlSeconds: number
  unpaid?: { perBuyer: StockShare; all: StockShare } | undefined
  /** The session that is paid, whose order these goods are for. */
  paidSessionId?: string
}

/**
 * Reserves the goods of a cart. When they are short, open payment pages of the same cart or lines are superseded first,
 * because their goods are this buyer's own. When even these would not suffice, the pages stay open.
 * @throws DependencyUnavailable when catalog does not reply
 */
export async function holdGoods(context: OrdersContext, goods: Goods, terms: Terms): Promise<Reserved> {
  const request = () => reserve(context.messaging, goods, terms.ttlSeconds, terms.unpaid)
  const reserved = await request()
  if ('claim' in reserved) return reserved
  const pages = await findPages(context, goods, terms)
  if (pages.length === 0) return reserved
  const short = shortBeside(pages, reserved.short)
  if (short.length > 0) return { short }
  // A concurrent request may have opened a page for the same goods since: they are reserved for this one, too.
  const others = pages.filter(({ claim }) => !isHoldOf(claim, goods))
  await leavePages(context, others, goods.discountClaim)
  return request()
}

async function findPages(
  { db, clock }: OrdersContext,
  { cartIds, lineIds }: Goods,
  { paidSessionId }: Terms,
): Promise<StoredSession[]> {
  const now = clock.now().getTime()
  const pages = await findHoldingSessions(db, {
    cartIds,
    lineIds,
    expiresAfter: new Date(now - UPDATE_GRACE_SECONDS * 1000),
    givenUpAfter: new Date(now - RELEASE_MS),
  })
  return pages.filter(({ id }) => id !== paidSessionId)
}

/** The lines that are short even with the units of the pages. The limit for one buyer does not depend on them. */
function shortBeside(pages: readonly StoredSession[], short: readonly ShortLine[]): ShortLine[] {
  // The goods move from page to page of a cart: the hold is the same one.
  const holds = [...new Map(pages.map((page) => [page.claim, page])).values()]
  const held = holds.flatMap(({ document }) => document.lines)
  return short
    .map((line) => {
      if (line.limit === 'buyer') return line
      const own = held.filter(({ variantId }) => variantId === line.variantId)
      return { ...line, available: own.reduce((sum, { quantity }) => sum + quantity, line.available) }
    })
    .filter(({ wanted, available }) => available < wanted)
}

async function leavePages(
  context: OrdersContext,
  pages: readonly StoredSession[],
  discountClaim: string | null,
): Promise<void> {
  for (const page of pages) {
    const [ended] = await endSessions(context.db, [page], 'superseded')
    if (ended) context.pageClosings.add(closeAtProvider(context, ended))
    const held = ended ?? page
    // Also when another request has ended it, because that one may not have released its goods yet.
    await giveUp(context, { ...held, discountClaim: held.discountClaim === discountClaim ? null : held.discountClaim })
  }
}
