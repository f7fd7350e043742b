import { buildProduct } from './catalogue/build-product.ts'
import { items } from './catalogue/items.ts'
import { categories } from './content/categories.ts'
import { collections } from './content/collections.ts'
import { discounts } from './content/discounts.ts'
import { library } from './content/library.ts'
import { settings } from './content/settings.ts'
import { sizeCharts } from './content/size-charts.ts'
import { composedPictures } from './pictures/composed-pictures.ts'
import { picturesOf } from './pictures/product-pictures.ts'
import { reviews } from './reviews/reviews.ts'

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

export type DemoShop = ReturnType<typeof demoShop>

/** Every picture the shop refers to; the data has `/media/` before the path. */
export function* demoPictures(): Iterable<{ path: string; svg: string }> {
  for (const item of items) yield* picturesOf(item)
  yield* composedPictures()
}
