import { buildProduct } from './catalog/build-product.ts'
import { items } from './catalog/items.ts'
import { categories } from './content/categories.ts'
import { collections } from './content/collections.ts'
import { discounts } from './content/discounts.ts'
import { library } from './content/library.ts'
import { settings } from './content/settings.ts'
import { sizeCharts } from './content/size-charts.ts'
import { reviews } from './reviews/reviews.ts'

export { demoPictures } from './pictures.ts'

/** The demo shop as an import body without `mode`; the same `now` always gives the same shop. */
export function demoShop({ now }: { now: Date }) {
  return {
    settings: settings(now),
    categories,
    collections,
    sizeCharts,
    products: items.map((item) => buildProduct(item, now)),
    reviews: reviews(now),
    discounts: discounts(now),
    library,
  }
}
