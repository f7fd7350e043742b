import type { App, Storefront } from '../../server/storefront.ts'
import { addressPages } from './addresses.tsx'
import { detailsPage } from './details.tsx'
import { exportRoute } from './export.ts'
import { guestPages } from './guest-pages.tsx'
import { ordersPage } from './orders.tsx'
import { overviewPage } from './overview.tsx'
import { privacyPage } from './privacy.tsx'
import { signOutRoute } from './sign-out.ts'

export function accountPages(app: App, storefront: Storefront): void {
  guestPages(app, storefront)
  overviewPage(app, storefront)
  ordersPage(app, storefront)
  addressPages(app, storefront)
  detailsPage(app, storefront)
  privacyPage(app, storefront)
  exportRoute(app, storefront)
  signOutRoute(app, storefront)
}
