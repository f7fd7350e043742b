import type {
  Actor,
  BulkEditChange,
  BulkEditFields,
  BulkEditProblem,
  Picture,
  ReviewTransfer,
  StorefrontConfiguration,
} from '@storefront/contracts'
import type { Issue } from './errors.ts'
import type { StoredSize } from './media/media.ts'
import type { ProductDocument } from './products/product.ts'

/** Types that PostgreSQL does not know: of the JSON in columns, and of texts without a check constraint. */
export interface ColumnTypes {
  'bulk_edit_products.after': BulkEditFields
  'bulk_edit_products.before': BulkEditFields
  'bulk_edits.actor': Actor
  'bulk_edits.change': BulkEditChange
  'bulk_edits.problems': BulkEditProblem[]
  'categories.image': Picture
  'collections.image': Picture
  'former_variants.options': Record<string, string>
  'import_jobs.actor': Actor
  'import_jobs.issues': Issue[]
  'import_rows.cells': Record<string, string>
  'media.sizes': StoredSize[]
  'products.document': ProductDocument
  'reservations.lines': { variantId: string; quantity: number }[]
  'reviews.fit': NonNullable<ReviewTransfer['fit']>
  'reviews.photos': Picture[]
  'settings.document': StorefrontConfiguration
  'settings_versions.document': Record<string, unknown>
  'variants.options': Record<string, string>
}
