import type { App, Storefront } from '../server/storefront.ts'
import { accountPages } from './account/account-pages.tsx'
import { bagPages } from './bag/bag-pages.tsx'
import { checkoutPages } from './checkout/checkout-pages.tsx'
import { alertPages } from './confirmations/alert-pages.tsx'
import { confirmationPages } from './confirmations/confirmation-pages.tsx'
import { homePage } from './home/home-page.tsx'
import { subscribePage } from './newsletter/subscribe.tsx'
import { lookupPages } from './order/lookup-pages.tsx'
import { orderPages } from './order/order-pages.tsx'
import { wishlistPages } from './wishlist/wishlist-pages.tsx'
import { productPages } from './product/product-page.tsx'
import { informationPages } from './information/information-pages.tsx'
import { catalogPages } from './list/catalog-pages.tsx'
import { offlinePage } from './offline/offline-page.tsx'
import { searchPage } from './search/search-page.tsx'
import { suggestionRoute } from './search/suggestions.tsx'

export function registerPages(app: App, storefront: Storefront): void {
  homePage(app, storefront)
  productPages(app, storefront)
  catalogPages(app, storefront)
  searchPage(app, storefront)
  suggestionRoute(app, storefront)
  informationPages(app, storefront)
  offlinePage(app, storefront)
  bagPages(app, storefront)
  accountPages(app, storefront)
  confirmationPages(app, storefront)
  alertPages(app, storefront)
  wishlistPages(app, storefront)
  subscribePage(app, storefront)
  checkoutPages(app, storefront)
  orderPages(app, storefront)
  lookupPages(app, storefront)
}
