import type { App, Storefront } from '../server/storefront.ts'
import { bagPages } from './bag/bag-pages.tsx'
import { homePage } from './home/home-page.tsx'
import { catalogPages } from './list/catalog-pages.tsx'

/** Every page of the storefront. */
export function registerPages(app: App, storefront: Storefront): void {
  homePage(app, storefront)
  catalogPages(app, storefront)
  bagPages(app, storefront)
}
