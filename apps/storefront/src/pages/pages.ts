import type { App, Storefront } from '../server/storefront.ts'
import { bagPages } from './bag/bag-pages.tsx'
import { homePage } from './home/home-page.tsx'
import { informationPages } from './information/information-pages.tsx'
import { catalogPages } from './list/catalog-pages.tsx'
import { offlinePage } from './offline/offline-page.tsx'
import { searchPage } from './search/search-page.tsx'
import { suggestionRoute } from './search/suggestions.tsx'

/** Every page of the storefront. */
export function registerPages(app: App, storefront: Storefront): void {
  homePage(app, storefront)
  catalogPages(app, storefront)
  searchPage(app, storefront)
  suggestionRoute(app, storefront)
  informationPages(app, storefront)
  offlinePage(app, storefront)
  bagPages(app, storefront)
}
