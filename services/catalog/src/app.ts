import { actorNames, replyToReadActivity } from '@storefront/audit'
import type { Registered, Timer } from '@storefront/service'
import { startRelay } from '@storefront/messaging'
import { startRetention } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { signalWrites } from '@storefront/service-start'
import { ReadCatalogActivity } from '@storefront/contracts'
import { confirmAlertRoute } from './alerts/confirm-alert.ts'
import { consumeBuyerErased } from './alerts/consume-buyer-erased.ts'
import { openUnsubscribeRoute } from './alerts/open-unsubscribe.ts'
import { processAlertRequests } from './alerts/process-alert-requests.ts'
import { replyToReadAlertLinks } from './alerts/read-alert-links.ts'
import { replyToReadAlertsOfAddress } from './alerts/read-alerts-of-address.ts'
import { requestAlertRoute } from './alerts/request-alert.ts'
import { sendAlerts } from './alerts/send-alerts.ts'
import { unsubscribeAlertRoute } from './alerts/unsubscribe-alert.ts'
import { catalogActivity } from './audit/catalog-activity.ts'
import { listAuditRoute } from './audit/list-audit.ts'
import { getBootstrapRoute } from './bootstrap/get-bootstrap.ts'
import { cancelBulkEditRoute } from './bulk-edits/cancel-bulk-edit.ts'
import { getBulkEditRoute } from './bulk-edits/get-bulk-edit.ts'
import { listBulkEditsRoute } from './bulk-edits/list-bulk-edits.ts'
import { previewBulkEditRoute } from './bulk-edits/preview-bulk-edit.ts'
import { processBulkEdits } from './bulk-edits/process-bulk-edits.ts'
import { startBulkEditRoute } from './bulk-edits/start-bulk-edit.ts'
import { undoBulkEditRoute } from './bulk-edits/undo-bulk-edit.ts'
import { replyToReadPrices } from './price-projection/read-prices.ts'
import { sweepPriceProjection } from './price-projection/sweep-price-projection.ts'
import { deleteCategoryRoute } from './categories/delete-category.ts'
import { listAdminCategoriesRoute } from './categories/list-admin-categories.ts'
import { listCategoriesRoute } from './categories/list-categories.ts'
import { saveCategoryRoute } from './categories/save-category.ts'
import { deleteCollectionRoute } from './collections/delete-collection.ts'
import { getCollectionRoute } from './collections/get-collection.ts'
import { listAdminCollectionsRoute } from './collections/list-admin-collections.ts'
import { listCollectionsRoute } from './collections/list-collections.ts'
import { saveCollectionRoute } from './collections/save-collection.ts'
import type { CatalogContext } from './context.ts'
import { consumeCustomerDeleted } from './customers/consume-customer-deleted.ts'
import { replyToReadPersonalData } from './customers/read-personal-data.ts'
import { getDeliveryEstimateRoute } from './delivery/get-delivery-estimate.ts'
import { replyToCheckRestrictions } from './discounts/check-restrictions.ts'
import { followLists } from './listings/follow-lists.ts'
import { deleteMediaRoute } from './media/delete-media.ts'
import { getMediaRoute } from './media/get-media.ts'
import { listMediaRoute } from './media/list-media.ts'
import { getAdminMediaRoute } from './media/get-admin-media.ts'
import { sweepMedia } from './media/sweep-media.ts'
import { changeMediaRoute } from './media/change-media.ts'
import { uploadMediaRoute } from './media/upload-media.ts'
import { addVariantRoute } from './products/add-variant.ts'
import { createProductRoute } from './products/create-product.ts'
import { deleteProductRoute } from './products/delete-product.ts'
import { removeVariantRoute } from './products/remove-variant.ts'
import { getAdminProductRoute } from './products/get-admin-product.ts'
import { getProductRoute } from './products/get-product.ts'
import { listAdminProductsRoute } from './products/list-admin-products.ts'
import { listProductsRoute } from './products/list-products.ts'
import { keepBadges } from './products/keep-badges.ts'
import { publishScheduled } from './products/publish-scheduled.ts'
import { processRefreshQueue } from './products/process-refresh-queue.ts'
import { replyToReadProducts } from './products/read-products.ts'
import { renewAgain } from './products/renew-responses.ts'
import { changeProductRoute } from './products/change-product.ts'
import { changeVariantRoute } from './products/change-variant.ts'
import { RETENTION } from './retention.ts'
import { listRelatedRoute } from './related/list-related.ts'
import { suggestRoute } from './search/suggest.ts'
import { deleteReviewRoute } from './reviews/delete-review.ts'
import { consumeOrderPaid } from './reviews/consume-order-paid.ts'
import { listAllReviewsRoute } from './reviews/list-all-reviews.ts'
import { listReviewsRoute } from './reviews/list-reviews.ts'
import { moderateReviewRoute } from './reviews/moderate-review.ts'
import { createReviewRoute } from './reviews/create-review.ts'
import { replyToReadDocumentSettings } from './settings/read-document-settings.ts'
import { replyToReadNotificationSettings } from './settings/read-notification-settings.ts'
import { deleteStorefrontSettingRoute } from './settings/delete-storefront-setting.ts'
import { getRawStorefrontRoute } from './settings/get-raw-storefront.ts'
import { getStorefrontRoute } from './settings/get-storefront.ts'
import { getStorefrontVersionRoute } from './settings/get-storefront-version.ts'
import { listStorefrontVersionsRoute } from './settings/list-storefront-versions.ts'
import { restoreStorefrontVersionRoute } from './settings/restore-storefront-version.ts'
import { changeStorefrontRoute } from './settings/change-storefront.ts'
import { deleteSizeChartRoute } from './size-charts/delete-size-chart.ts'
import { listAdminSizeChartsRoute } from './size-charts/list-admin-size-charts.ts'
import { listSizeChartsRoute } from './size-charts/list-size-charts.ts'
import { saveSizeChartRoute } from './size-charts/save-size-chart.ts'
import { adjustInventoryRoute } from './stock/adjust-inventory.ts'
import { replyToCheckLedger } from './stock/check-ledger.ts'
import { replyToCheckReservations } from './stock/check-reservations.ts'
import { consumeOrderPlaced } from './stock/consume-order-placed.ts'
import { consumeOrderRestocked } from './stock/consume-order-restocked.ts'
import { listLowStockRoute } from './stock/list-low-stock.ts'
import { listMovementsRoute } from './stock/list-movements.ts'
import { releaseExpired } from './stock/release-expired.ts'
import { replyToReleaseInventory } from './stock/release-inventory.ts'
import { openReservationBatches, type ReservationBatches } from './stock/reservation-batches.ts'
import { replyToReserveInventory } from './stock/reserve-inventory.ts'
import { setInventoryRoute } from './stock/set-inventory.ts'
import { watchStock } from './stock/watch-stock.ts'
import { consumeWishlistRemoved, consumeWishlistSaved } from './saves/consume-wishlists.ts'
import { cancelImportRoute } from './transfer/cancel-import.ts'
import { exportCatalogRoute } from './transfer/export-catalog.ts'
import { getImportRoute } from './transfer/get-import.ts'
import { fetchWaitingPictures } from './transfer/fetch-waiting-pictures.ts'
import { importCatalogRoute } from './transfer/import-catalog.ts'
import { listImportsRoute } from './transfer/list-imports.ts'
import { keepImports, processImports } from './transfer/process-imports.ts'
import { deleteLibraryItemRoute } from './vocabulary/delete-library-item.ts'
import { listAttributesRoute } from './vocabulary/list-attributes.ts'
import { listLibraryRoute } from './vocabulary/list-library.ts'
import { saveLibraryItemRoute } from './vocabulary/save-library-item.ts'

/** Registers every route, consumer, request handler and timer of this service. */
export function registerCatalog(app: App, context: CatalogContext): Registered {
  const refresh = processRefreshQueue(context)

  registerShop(app, context)
  const alerts = registerAlerts(app, context)
  registerMedia(app, context)
  const { imports, pictures } = registerTransfers(app, context)
  registerProducts(app, context)
  const bulkEdits = registerBulkEdits(app, context)
  registerStock(app, context)
  registerAdministration(app, context)

  const batches = openReservationBatches(context)
  registerReplies(context, batches)
  const sweep = sweepPriceProjection(context)

  return {
    consumers: [
      consumeOrderPlaced(context),
      consumeOrderRestocked(context),
      consumeOrderPaid(context),
      consumeWishlistSaved(context),
      consumeWishlistRemoved(context),
      consumeCustomerDeleted(context),
      consumeBuyerErased(context),
    ],
    timers: [
      refresh,
      sweep,
      startRelay(context),
      ...watchStock(context.db),
      batches,
      pictures,
      imports,
      keepImports(context),
      bulkEdits,
      publishScheduled(context),
      ...alerts,
      followLists(context),
      keepBadges(context),
      releaseExpired(context),
      renewAgain(context),
      sweepMedia(context),
      ...startRetention(RETENTION, context),
      ...context.publicReads.timers,
    ],
  }
}

/** The requests of other services. */
function registerReplies(context: CatalogContext, batches: ReservationBatches): void {
  replyToReserveInventory(context, batches)
  replyToReleaseInventory(context)
  replyToCheckReservations(context)
  replyToCheckLedger(context)
  replyToReadPrices(context)
  replyToReadDocumentSettings(context)
  replyToReadNotificationSettings(context)
  replyToReadProducts(context)
  replyToReadAlertLinks(context)
  replyToReadAlertsOfAddress(context)
  replyToReadPersonalData(context)
  replyToCheckRestrictions(context)
  replyToReadActivity(context, ReadCatalogActivity, [catalogActivity(context.db)])
}

/** The routes for shoppers and storefronts. */
function registerShop(app: App, context: CatalogContext): void {
  listProductsRoute(app, context) //        GET    /products
  getProductRoute(app, context) //          GET    /products/:slug
  listRelatedRoute(app, context) //         GET    /products/:slug/related
  suggestRoute(app, context) //             GET    /search/suggest
  listReviewsRoute(app, context) //         GET    /products/:slug/reviews
  createReviewRoute(app, context) //        POST   /products/:slug/reviews
  listCategoriesRoute(app, context) //      GET    /categories
  listCollectionsRoute(app, context) //     GET    /collections
  listAttributesRoute(app, context) //      GET    /attributes
  listSizeChartsRoute(app, context) //      GET    /size-charts
  getStorefrontRoute(app, context) //       GET    /storefront
  getBootstrapRoute(app, context) //        GET    /bootstrap
  getDeliveryEstimateRoute(app, context) // GET    /delivery-estimate
  getMediaRoute(app, context) //            GET    /media/*
}

function registerAlerts(app: App, context: CatalogContext): Timer[] {
  const requests = processAlertRequests(context)
  const mails = sendAlerts(context)
  requestAlertRoute(app, context, () => requests.wake()) // POST   /alerts
  confirmAlertRoute(app, context, () => mails.wake()) //    POST   /alerts/confirm
  openUnsubscribeRoute(app, context) //                     GET    /alerts/unsubscribe
  unsubscribeAlertRoute(app, context) //                    POST   /alerts/unsubscribe
  return [requests, mails]
}

function registerMedia(app: App, context: CatalogContext): void {
  uploadMediaRoute(app, context) //   POST   /admin/media
  listMediaRoute(app, context) //     GET    /admin/media
  getAdminMediaRoute(app, context) // GET    /admin/media/:id
  changeMediaRoute(app, context) //   PATCH  /admin/media/:id
  deleteMediaRoute(app, context) //   DELETE /admin/media/:id
}

function registerTransfers(app: App, context: CatalogContext): { imports: Timer; pictures: Timer } {
  signalWrites(app, context, { '/admin/import': ['imports'] })
  const imports = processImports(context)
  const pictures = fetchWaitingPictures(context, imports)
  importCatalogRoute(app, context, { imports, pictures }) // POST   /admin/import
  getImportRoute(app, context) //                            GET    /admin/import/:id
  cancelImportRoute(app, context) //                         DELETE /admin/import/:id
  listImportsRoute(app, context) //                          GET    /admin/imports
  exportCatalogRoute(app, context) //                        GET    /admin/export
  return { imports, pictures }
}

function registerProducts(app: App, context: CatalogContext): void {
  listAdminProductsRoute(app, context) // GET    /admin/products
  getAdminProductRoute(app, context) //   GET    /admin/products/:id
  createProductRoute(app, context) //     POST   /admin/products
  changeProductRoute(app, context) //     PATCH  /admin/products/:id
  deleteProductRoute(app, context) //     DELETE /admin/products/:id
  addVariantRoute(app, context) //        POST   /admin/products/:id/variants
  changeVariantRoute(app, context) //     PATCH  /admin/products/:id/variants/:variantId
  removeVariantRoute(app, context) //     DELETE /admin/products/:id/variants/:variantId

  listAdminCategoriesRoute(app, context) // GET    /admin/categories
  saveCategoryRoute(app, context) //        POST   /admin/categories
  deleteCategoryRoute(app, context) //      DELETE /admin/categories/:slug

  listAdminCollectionsRoute(app, context) // GET    /admin/collections
  getCollectionRoute(app, context) //        GET    /admin/collections/:slug
  saveCollectionRoute(app, context) //       POST   /admin/collections
  deleteCollectionRoute(app, context) //     DELETE /admin/collections/:slug

  listAdminSizeChartsRoute(app, context) // GET    /admin/size-charts
  saveSizeChartRoute(app, context) //       POST   /admin/size-charts
  deleteSizeChartRoute(app, context) //     DELETE /admin/size-charts/:id
}

function registerBulkEdits(app: App, base: CatalogContext): Timer {
  const context = { ...base, names: actorNames(base) }
  signalWrites(app, context, { '/admin/products/bulk': ['bulk-edits'] })
  const bulkEdits = processBulkEdits(context)
  previewBulkEditRoute(app, context) //          POST   /admin/products/bulk/preview
  startBulkEditRoute(app, context, bulkEdits) // POST   /admin/products/bulk
  listBulkEditsRoute(app, context) //            GET    /admin/products/bulk
  getBulkEditRoute(app, context) //              GET    /admin/products/bulk/:id
  cancelBulkEditRoute(app, context) //           DELETE /admin/products/bulk/:id
  undoBulkEditRoute(app, context, bulkEdits) //  POST   /admin/products/bulk/:id/undo
  return bulkEdits
}

function registerStock(app: App, context: CatalogContext): void {
  setInventoryRoute(app, context) //    PATCH  /admin/variants/:id/inventory
  adjustInventoryRoute(app, context) // POST   /admin/variants/:id/inventory
  listMovementsRoute(app, context) //   GET    /admin/variants/:id/movements
  listLowStockRoute(app, context) //    GET    /admin/products/low-stock
}

function registerAdministration(app: App, context: CatalogContext): void {
  listAuditRoute(app, { db: context.db, names: actorNames(context) }) // GET    /admin/audit

  listAllReviewsRoute(app, context) // GET    /admin/reviews
  moderateReviewRoute(app, context) // PATCH  /admin/reviews/:id
  deleteReviewRoute(app, context) //   DELETE /admin/reviews/:id

  listLibraryRoute(app, context) //       GET    /admin/library
  saveLibraryItemRoute(app, context) //   POST   /admin/library/:kind
  deleteLibraryItemRoute(app, context) // DELETE /admin/library/:kind/:id

  getRawStorefrontRoute(app, context) //         GET    /admin/storefront
  changeStorefrontRoute(app, context) //         PATCH  /admin/storefront
  deleteStorefrontSettingRoute(app, context) //  DELETE /admin/storefront/:path
  listStorefrontVersionsRoute(app, context) //   GET    /admin/storefront/versions
  getStorefrontVersionRoute(app, context) //     GET    /admin/storefront/versions/:version
  restoreStorefrontVersionRoute(app, context) // POST   /admin/storefront/versions/:version/restore
}
