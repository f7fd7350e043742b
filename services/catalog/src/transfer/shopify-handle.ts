import type { CsvColumn, CsvColumns } from '@storefront/contracts/product-csv'
import { latinSlug } from '@storefront/contracts/slug'
import type { CellReader, CsvRow } from './shopify-row.ts'

/** The column whose text the rows of one product share: that of the title in a file that has no handles. */
export function handleColumn({ places }: CsvColumns): CsvColumn {
  return places.has('Handle') ? 'Handle' : 'Title'
}

/**
 * The slug of a product. The texts of a column that the merchant chose may not be valid slugs: a slug is made from each
 * text, the same in every import.
 * @returns an empty text if there is none, which is an error of the file
 */
export function slugIn(first: CsvRow, cells: CellReader): string {
  const { columns } = cells
  const column = handleColumn(columns)
  const text = cells.text(first, column)
  const slug = columns.chosen.has(columns.places.get(column) ?? -1) ? latinSlug(text) : text
  if (text === '' && column === 'Handle') cells.fault(first, column, 'must be given')
  if (text !== '' && slug === '') {
    cells.fault(first, column, 'must have a Latin letter or a digit for the slug of the product')
  }
  return slug
}
