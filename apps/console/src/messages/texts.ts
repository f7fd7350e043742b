import type activity from './en/activity.json'
import type categories from './en/categories.json'
import type collections from './en/collections.json'
import type common from './en/common.json'
import type customers from './en/customers.json'
import type discounts from './en/discounts.json'
import type draftOrders from './en/draftOrders.json'
import type home from './en/home.json'
import type imports from './en/import.json'
import type library from './en/library.json'
import type media from './en/media.json'
import type orders from './en/orders.json'
import type products from './en/products.json'
import type reviews from './en/reviews.json'
import type settings from './en/settings.json'
import type sizeCharts from './en/sizeCharts.json'
import type stock from './en/stock.json'
import type storefront from './en/storefront.json'

/** All texts of the console by their keys: those of every screen, and the common ones. */
export type Texts = typeof activity &
  typeof categories &
  typeof collections &
  typeof common &
  typeof customers &
  typeof discounts &
  typeof draftOrders &
  typeof home &
  typeof imports &
  typeof library &
  typeof media &
  typeof orders &
  typeof products &
  typeof reviews &
  typeof settings &
  typeof sizeCharts &
  typeof stock &
  typeof storefront & {
    /** A sentence for each error code, in languages that do not show those of the API. */
    errors: Record<string, string>
    /** The same for the entries of the activity, by the kind of the record and what was done. */
    activitySentences: Record<string, Record<string, string>>
    /** The same for what may be wrong with a field, by its kind. */
    fields: Record<string, string>
  }
