import { z } from 'zod'
import { ProductInput, SizeChart } from './product.ts'
import { ReviewInput } from './review.ts'
import { StorefrontConfiguration } from './storefront.ts'
import { CategoryInput, CollectionInput } from './taxonomy.ts'
import { LibraryAssuranceInput, LibraryAttributeInput, LibraryFeatureInput } from './vocabulary.ts'

const rows = <Row extends z.ZodType>(row: Row) => z.array(row).default([])

export const LibraryInput = z.object({
  attributes: rows(LibraryAttributeInput),
  features: rows(LibraryFeatureInput),
  assurances: rows(LibraryAssuranceInput),
})
export type LibraryInput = z.output<typeof LibraryInput>

/** The body of POST /admin/import and of GET /admin/export (decisions, section 7). */
export const ImportBody = z
  .object({
    mode: z.enum(['merge', 'replace']),
    settings: StorefrontConfiguration.optional(),
    categories: rows(CategoryInput),
    collections: rows(CollectionInput),
    sizeCharts: rows(SizeChart),
    products: rows(ProductInput),
    reviews: rows(ReviewInput),
    discounts: rows(z.looseObject({ code: z.string().min(1) })),
    library: LibraryInput.optional(),
  })
  .meta({ id: 'ImportBody' })
export type ImportBody = z.output<typeof ImportBody>
