import type { Column } from './shopify-columns.ts'
import type { CsvImage } from './shopify-images.ts'
import type { CellReader, CsvRow } from './shopify-row.ts'
import type { CsvOption, CsvVariant } from './shopify-variants.ts'

const COLUMNS_OF_FIELDS: Readonly<Record<string, Column>> = {
  slug: 'Handle',
  title: 'Title',
  description: 'Body (HTML)',
  tags: 'Tags',
  images: 'Image Src',
  options: 'Option1 Name',
  variants: 'Variant Price',
  enrichment: 'Vendor',
}
const COLUMNS_OF_VARIANTS: Readonly<Record<string, Column>> = {
  sku: 'Variant SKU',
  price: 'Variant Price',
  compareAtPrice: 'Variant Compare At Price',
  inventory: 'Variant Inventory Qty',
  options: 'Option1 Value',
  imageId: 'Variant Image',
}

/** Names the cell of each field, such as `row 3: Variant SKU` for `variants.1.sku`. */
export function cellNames(
  first: CsvRow,
  cells: CellReader,
  given: {
    variants: readonly CsvVariant[]
    images: readonly CsvImage[]
    options: readonly CsvOption[]
    /** The variant whose prices are those of the product. */
    lowest: CsvVariant | undefined
  },
): (path: readonly PropertyKey[]) => string {
  return ([field, index, part]) => {
    const variant = field === 'variants' ? given.variants[Number(index)] : undefined
    if (variant) return cells.at(variant.row, COLUMNS_OF_VARIANTS[String(part)] ?? 'Variant Price')
    const image = field === 'images' ? given.images[Number(index)] : undefined
    if (image) return cells.at(image.row, part === 'alt' ? 'Image Alt Text' : image.column)
    const option = field === 'options' ? given.options[Number(index)] : undefined
    if (option) return cells.at(first, part === 'values' ? option.valueColumn : option.nameColumn)
    if (field === 'price') return cells.at(given.lowest?.row ?? first, 'Variant Price')
    if (field === 'compareAtPrice') return cells.at(given.lowest?.row ?? first, 'Variant Compare At Price')
    const column = COLUMNS_OF_FIELDS[String(field)]
    return column === undefined ? `row ${first.number}` : cells.at(first, column)
  }
}
