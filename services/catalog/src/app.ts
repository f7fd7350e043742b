import { every, forgetOldReceipts, startRelay, type App, type Consumer, type Timer } from '@storefront/chassis'
import { listAuditRoute } from './audit/list-audit.ts'
import { getBootstrapRoute } from './bootstrap/get-bootstrap.ts'
import { answerReadBoard } from './board/read-board.ts'
import { openBoardSweep } from './board/sweep-board.ts'
import { listCategoriesRoute } from './categories/list-categories.ts'
import { listCollectionsRoute } from './collections/list-collections.ts'
import type { CatalogContext } from './context.ts'
import { getDeliveryEstimateRoute } from './delivery/get-delivery-estimate.ts'
import { forgetOldChanges } from './listings/index.queries.ts'
import { getMediaRoute } from './media/get-media.ts'
import { getProductRoute } from './products/get-product.ts'
import { listProductsRoute } from './products/list-products.ts'
import { keepBadges } from './products/keep-badges.ts'
import { refreshQueued } from './products/refresh-products.ts'
import { listRelatedRoute } from './related/list-related.ts'
import { listReviewsRoute } from './reviews/list-reviews.ts'
import { getStorefrontRoute } from './settings/get-storefront.ts'
import { listSizeChartsRoute } from './size-charts/list-size-charts.ts'
import { hearOrderPlaced } from './stock/hear-order-placed.ts'
import { releaseExpired } from './stock/release-expired.ts'
import { answerReleaseInventory } from './stock/release-inventory.ts'
import { forgetOldReservations, type ChangedStock } from './stock/stock.queries.ts'
import { openReservationDesk } from './stock/reservation-desk.ts'
import { answerReserveInventory } from './stock/reserve-inventory.ts'
import { hearWishlistRemoved, hearWishlistSaved } from './saves/hear-wishlists.ts'
import { forgetOldRemovals } from './saves/saves.queries.ts'
import { importCatalogueRoute } from './transfer/import-catalogue.ts'
import { listAttributesRoute } from './vocabulary/list-attributes.ts'

/** A product that sells is made anew at most four times a second, however often it sells. */
const REFRESH_MS = 250
const RELEASE_MS = 1000
/** A copy that nobody asks keeps in step all the same. */
const FOLLOW_MS = 1000
const FORGET_CHANGES_MS = 60_000
const BADGES_MS = 5000
const SWEEP_MS = 30_000
/** As long as a turn takes, so that a hurried round leaves half a core to others. */
const HURRIED_SWEEP_MS = 150
const DAY_MS = 24 * 3600 * 1000
const RESERVATION_MEMORY_DAYS = 30
/** Longer than the stream keeps an event. */
const EVENT_MEMORY_DAYS = 14

/** Everything this service offers, hears and does by itself. */
export function registerCatalog(app: App, base: CatalogContext): { timers: Timer[]; consumers: Consumer[] } {
  const { db, log, redis } = base
  const refresh = every(REFRESH_MS, 'refresh products', log, async () => void (await refreshQueued(base)))
  const context = {
    ...base,
    stockChanged: (changed: readonly ChangedStock[]) => base.board.writeStock(changed),
  }

  const daysAgo = (days: number) => new Date(base.clock.now().getTime() - days * DAY_MS)

  listProductsRoute(app, context)
  getProductRoute(app, context)
  listRelatedRoute(app, context)
  listReviewsRoute(app, context)
  listCategoriesRoute(app, context)
  listCollectionsRoute(app, context)
  listAttributesRoute(app, context)
  listSizeChartsRoute(app, context)
  getStorefrontRoute(app, context)
  getBootstrapRoute(app, context)
  getDeliveryEstimateRoute(app, context)
  getMediaRoute(app, context)
  importCatalogueRoute(app, context)
  listAuditRoute(app, context)

  answerReserveInventory(context, openReservationDesk(context))
  answerReleaseInventory(context)
  answerReadBoard(context)

  const boardSweep = openBoardSweep(context)
  const sweep = every(
    SWEEP_MS,
    'sweep the price board',
    log,
    async () => {
      const repaired = await boardSweep.turn()
      if (repaired > 0) log.info({ repaired }, 'the price board was behind and is repaired')
      if (redis.status === 'ready' && boardSweep.isHurried()) sweep.poke()
    },
    { gapMs: HURRIED_SWEEP_MS },
  )
  redis.on('ready', () => {
    boardSweep.beginRound()
    sweep.poke()
  })

  return {
    consumers: [hearOrderPlaced(context), hearWishlistSaved(context), hearWishlistRemoved(context)],
    timers: [
      refresh,
      sweep,
      startRelay(context),
      every(FOLLOW_MS, 'follow the lists', log, () => base.lists.follow()),
      every(FORGET_CHANGES_MS, 'forget old changes of lists', log, () => forgetOldChanges(db)),
      every(BADGES_MS, 'keep badges', log, () => keepBadges(context)),
      every(RELEASE_MS, 'release expired reservations', log, () => releaseExpired(context)),
      every(DAY_MS, 'forget old receipts', log, () => forgetOldReceipts(db)),
      every(DAY_MS, 'forget removed wishes', log, () => forgetOldRemovals(db, daysAgo(EVENT_MEMORY_DAYS))),
      every(DAY_MS, 'forget old reservations', log, () => forgetOldReservations(db, daysAgo(RESERVATION_MEMORY_DAYS))),
    ],
  }
}
