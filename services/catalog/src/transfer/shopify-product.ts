import { valuesOfMetafield, type CsvColumn, type CsvColumns } from '@storefront/contracts/product-csv'
import { storedUrl } from '../products/product-response.ts'
import { readableText } from './readable-text.ts'
import { columnOf } from './shopify-columns.ts'
import { handleColumn, slugIn } from './shopify-handle.ts'
import { imagesOf, inOrder, picturesElsewhere, type CsvImage } from './shopify-images.ts'
import { quoted, type CellReader, type CsvRow } from './shopify-row.ts'
import { lowestPriceOf, optionsOf, pricesOf, variantsOf, type CsvOption, type CsvVariant } from './shopify-variants.ts'

/** Far above the length of a description without its tags, and fast to parse. */
const MAX_HTML_CHARACTERS = 200_000
/** The statuses of a product in Shopify, and whether shoppers see it. */
const STATUSES = new Map([
  ['', true],
  ['active', true],
  ['archived', false],
  ['draft', false],
  ['unlisted', false],
])

/**
 * Makes a product from the rows of one handle: the first describes it, each may add a variant and a picture.
 * @param publicUrl address of this shop: addresses below it are not pictures on another server
 * @returns the product as an import accepts it, still to be validated, and the locations of its fields in the file
 */
export function shopifyProduct(rows: readonly [CsvRow, ...CsvRow[]], cells: CellReader, publicUrl: string) {
  const [first] = rows
  const slug = slugIn(first, cells)
  const options = optionsOf(rows, cells)
  const variants = variantsOf(rows, cells, options)
  if (variants.length === 0) cells.fault(first, 'Variant Price', 'must be given')
  const images = inOrder(imagesOf(rows, cells))
  const lowest = variants.find(({ priceMinor }) => priceMinor === lowestPriceOf(variants))
  const data = {
    ...(slug !== '' && { slug }),
    ...textsOf(first, cells),
    ...pricesOf(variants, cells),
    images: images.map(({ id, url, alt }) => ({ id, url: storedUrl(url, publicUrl), ...(alt !== '' && { alt }) })),
    options: options.map(({ name }) => ({
      name,
      values: [...new Set(variants.flatMap((each) => each.options[name] ?? []))],
    })),
  }
  const cellOf = cellNamer(first, cells, { variants, images, options, lowest })
  return {
    data,
    cellOf,
    /** The cells of the fields that are compared with other products. */
    cellNames: {
      slug: cellOf(['slug']),
      ...Object.fromEntries(variants.map((_, index) => [`variants.${index}.sku`, cellOf(['variants', index, 'sku'])])),
    },
    pictures: picturesElsewhere(images, cells, publicUrl),
  }
}

/** Names the cell of each field, such as `row 3: Variant SKU` for `variants.1.sku`. */
function cellNamer(
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
    if (variant) return cells.at(variant.row, columnOf(`variants.${String(part)}`) ?? 'Variant Price')
    const image = field === 'images' ? given.images[Number(index)] : undefined
    if (image) return cells.at(image.row, part === 'alt' ? 'Image Alt Text' : image.column)
    const option = field === 'options' ? given.options[Number(index)] : undefined
    if (option) return cells.at(first, part === 'values' ? option.valueColumn : option.nameColumn)
    if (field === 'slug') return cells.at(first, handleColumn(cells.columns))
    if (field === 'price') return cells.at(given.lowest?.row ?? first, 'Variant Price')
    if (field === 'compareAtPrice') return cells.at(given.lowest?.row ?? first, 'Variant Compare At Price')
    const column = field === 'variants' ? 'Variant Price' : columnOf(String(field))
    return column === undefined ? `row ${first.number}` : cells.at(first, column)
  }
}

function textsOf(first: CsvRow, cells: CellReader) {
  const text = (column: CsvColumn) => cells.text(first, column)
  const vendor = text('Vendor')
  const tags = [...text('Tags').split(','), text('Type')].map((tag) => tag.trim()).filter((tag) => tag !== '')
  const { care, specs } = attributesOf(first, cells.columns)
  const enrichment = {
    ...(vendor !== '' && { maker: { name: vendor, location: '' } }),
    ...(Object.keys(specs).length > 0 && { specs }),
  }
  return {
    title: text('Title'),
    description: descriptionOf(first, cells),
    tags: [...new Set(tags)],
    published: isPublished(first, cells),
    ...(care.length > 0 && { care }),
    ...(Object.keys(enrichment).length > 0 && { enrichment }),
  }
}

function descriptionOf(first: CsvRow, cells: CellReader): string {
  const html = cells.text(first, 'Body (HTML)')
  if (html.length <= MAX_HTML_CHARACTERS) return readableText(html)
  cells.fault(first, 'Body (HTML)', `must not have more than ${MAX_HTML_CHARACTERS} characters, but has ${html.length}`)
  return ''
}

function isPublished(first: CsvRow, cells: CellReader): boolean {
  const published = cells.text(first, 'Published')
  const status = cells.text(first, 'Status')
  const isShown = STATUSES.get(status.toLowerCase())
  if (!/^(|true|false)$/i.test(published)) {
    cells.fault(first, 'Published', `must be TRUE or FALSE, not ${quoted(published)}`)
  }
  if (isShown === undefined) {
    const allowed = [...STATUSES.keys()].filter((each) => each !== '').join(', ')
    cells.fault(first, 'Status', `must be one of ${allowed}, not ${quoted(status)}`)
  }
  return isShown === true && published.toLowerCase() !== 'false'
}

/** The metafields of a product that have a field in the catalog. */
function attributesOf(first: CsvRow, { metafields }: CsvColumns): { care: string[]; specs: Record<string, string> } {
  const care: string[] = []
  const specs: Record<string, string> = {}
  for (const { index, goesTo } of metafields) {
    const values = valuesOfMetafield(first.cells[index]?.trim() ?? '') ?? []
    if (goesTo === 'care') care.push(...values)
    else if (values.length > 0) specs[goesTo.spec] = values.join(', ')
  }
  return { care, specs }
}
