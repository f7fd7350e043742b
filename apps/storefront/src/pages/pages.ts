import type { App, Storefront } from '../server/storefront.ts'
import { accountPages } from './account/account-pages.tsx'
import { bagPages } from './bag/bag-pages.tsx'
import { alertPages } from './confirmations/alert-pages.tsx'
import { confirmationPages } from './confirmations/confirmation-pages.tsx'
import { homePage } from './home/home-page.tsx'
import { subscribePage } from './newsletter/subscribe.tsx'
import { wishlistPages } from './wishlist/wishlist-pages.tsx'
import { productPages } from './product/product-page.tsx'

/** Every page of the storefront. */
export function registerPages(app: App, storefront: Storefront): void {
  homePage(app, storefront)
  productPages(app, storefront)
  bagPages(app, storefront)
  accountPages(app, storefront)
  confirmationPages(app, storefront)
  alertPages(app, storefront)
  wishlistPages(app, storefront)
  subscribePage(app, storefront)
}
