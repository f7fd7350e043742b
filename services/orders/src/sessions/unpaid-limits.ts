import { isSharedKey } from '@storefront/http'
import type { Quote, StockShare } from '@storefront/contracts'
import type { OrdersConfig } from '../config.ts'
import type { Database, Tx } from '../database.ts'
import { tooManyUnpaidCheckouts, tooManyUnpaidUnits } from '../errors.ts'
import { UPDATE_GRACE_SECONDS } from './session.ts'
import { countUnpaidCheckouts, countUnpaidUnits, lockUnpaidCheckoutsOf } from './unpaid.queries.ts'

/** The limits of unpaid checkouts. A number of checkouts of 0 means no limit. */
export interface UnpaidLimits {
  perBuyer: number
  perAddress: number
  shares: { perBuyer: StockShare; all: StockShare }
}

const PER_ADDRESS = 100
/** With little stock a share would be too small to buy: this many units are always allowed. */
const LEAST_UNITS = { perBuyer: 10, all: 50 }

export function unpaidLimitsOf(config: OrdersConfig): UnpaidLimits {
  return {
    perBuyer: config.UNPAID_CHECKOUTS_PER_BUYER,
    // Without the gateway's rate limits, as in a load test, one address stands for many buyers.
    perAddress: config.UNPAID_CHECKOUTS_PER_ADDRESS ?? (config.RATE_LIMIT_GENERAL === 0 ? 0 : PER_ADDRESS),
    shares: {
      perBuyer: { percent: config.UNPAID_STOCK_PERCENT_PER_BUYER, leastUnits: LEAST_UNITS.perBuyer },
      all: { percent: config.UNPAID_STOCK_PERCENT, leastUnits: LEAST_UNITS.all },
    },
  }
}

/** The checkout that is to be opened. */
interface UnpaidCheckout {
  keys: readonly string[]
  limits: UnpaidLimits
  /** What it replaces: the same cart, or the same lines. */
  goods: { cartIds: readonly string[]; lineIds: readonly string[] }
  now: Date
}

/**
 * Checks the unpaid checkouts of a buyer before goods are reserved for another one.
 * @throws HttpError `rate_limited` with too many unpaid checkouts
 */
export async function requireFewUnpaid(db: Database | Tx, { keys, limits, goods, now }: UnpaidCheckout): Promise<void> {
  for (const { key, count, firstEnd } of await countUnpaidCheckouts(db, keys, goods)) {
    const limit = isSharedKey(key) ? limits.perAddress : limits.perBuyer
    if (limit === 0 || count < limit) continue
    const endsInMs = firstEnd.getTime() + UPDATE_GRACE_SECONDS * 1000 - now.getTime()
    const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000))
    throw tooManyUnpaidCheckouts({ limit, isShared: isSharedKey(key), retryAfterSeconds })
  }
}

/**
 * Lets a buyer open one more unpaid checkout. Checkouts that this transaction has ended do not count, and the
 * buyer's next one waits for its end.
 * @param perBuyer units of each variant that one buyer may hold
 * @throws HttpError `rate_limited` with too many unpaid checkouts, `insufficient_inventory` with too many units in them
 */
export async function requireRoomForUnpaid(
  tx: Tx,
  checkout: UnpaidCheckout & {
    perBuyer: readonly { variantId: string; units: number }[]
    lines: Quote['lines']
  },
): Promise<void> {
  const { keys, perBuyer, lines } = checkout
  await lockUnpaidCheckoutsOf(tx, keys)
  await requireFewUnpaid(tx, checkout)
  const personal = keys.filter((key) => !isSharedKey(key))
  const held = new Map((await countUnpaidUnits(tx, personal)).map(({ variantId, units }) => [variantId, units]))
  for (const { variantId, units } of perBuyer) {
    const line = lines.find((each) => each.variantId === variantId)
    const before = held.get(variantId) ?? 0
    if (!line || before + line.quantity <= units) continue
    throw tooManyUnpaidUnits(line, { most: units, available: Math.max(0, units - before) })
  }
}
