/** The columns of a product CSV that products have a field for, and the field that each fills. */
export const CSV_FIELDS = [
  ['Handle', 'slug'],
  ['Title', 'title'],
  ['Body (HTML)', 'description'],
  ['Vendor', 'enrichment'],
  ['Tags', 'tags'],
  ['Type', 'tags'],
  ['Published', 'published'],
  ['Status', 'published'],
  ['Option1 Name', 'options'],
  ['Option1 Value', 'variants.options'],
  ['Option2 Name', 'options'],
  ['Option2 Value', 'variants.options'],
  ['Option3 Name', 'options'],
  ['Option3 Value', 'variants.options'],
  ['Variant SKU', 'variants.sku'],
  ['Variant Price', 'variants.price'],
  ['Variant Compare At Price', 'variants.compareAtPrice'],
  ['Variant Inventory Qty', 'variants.inventory'],
  ['Variant Image', 'variants.imageId'],
  ['Image Src', 'images'],
  ['Image Position', 'images.position'],
  ['Image Alt Text', 'images.alt'],
] as const
export type CsvColumn = (typeof CSV_FIELDS)[number][0]
export type CsvField = (typeof CSV_FIELDS)[number][1]
/** Columns that every file needs. */
const NEEDED: readonly CsvColumn[] = ['Handle', 'Title', 'Variant Price']

const BY_LOWER_CASE = new Map(CSV_FIELDS.map(([column]) => [column.toLowerCase(), column]))

const MAX_COLUMNS = 500
const SHOWN_CHARACTERS = 100
const MAX_VALUE_CHARACTERS = 500

/** A column whose values describe the product: its key in the specification, or in the care instructions. */
export interface CsvMetafield {
  index: number
  goesTo: 'care' | { spec: string }
}

/** The meanings of a file's columns, by their positions. */
export interface CsvColumns {
  places: ReadonlyMap<CsvColumn, number>
  metafields: readonly CsvMetafield[]
  /** As in the file. */
  names: readonly string[]
}

/** Keys that a specification may hold: the built-in vocabulary and the store's own. */
export type CsvAttributes = readonly { key: string; label: string }[]

/** Interprets the header of a product CSV. @returns a description of the problem if it is not valid */
export function readCsvHeader(header: readonly string[], attributes: CsvAttributes): CsvColumns | string {
  if (header.length > MAX_COLUMNS) return `must not name more than ${MAX_COLUMNS} columns`
  const names = header.map((name, index) => name.trim().slice(0, SHOWN_CHARACTERS) || `column ${index + 1}`)
  const places = new Map<CsvColumn, number>()
  for (const [index, name] of names.entries()) {
    const column = BY_LOWER_CASE.get(name.toLowerCase())
    if (column === undefined) continue
    if (places.has(column)) return `names the column ${column} twice`
    places.set(column, index)
  }
  const missing = NEEDED.filter((column) => !places.has(column))
  if (missing.length > 0) return `must name the columns ${missing.join(', ')}, separated by commas`
  return { places, metafields: metafieldsOf(names, attributes), names }
}

const METAFIELD = /^(.*?)\s*\(product\.metafields\.[\w-]+\.([\w-]+)\)$/
const CARE = 'care-instructions'

/** Of two columns for one attribute the first counts. */
function metafieldsOf(names: readonly string[], attributes: CsvAttributes): CsvMetafield[] {
  const metafields = new Map<string, CsvMetafield>()
  for (const [index, name] of names.entries()) {
    const [, label, key] = METAFIELD.exec(name) ?? []
    if (label === undefined || key === undefined) continue
    const plainKey = key.replaceAll('_', '-').toLowerCase()
    const attribute = attributes.find(
      (each) => each.key === plainKey || each.label.toLowerCase() === label.trim().toLowerCase(),
    )
    const place = plainKey === CARE ? CARE : attribute?.key
    if (place === undefined || metafields.has(place)) continue
    metafields.set(place, { index, goesTo: place === CARE ? 'care' : { spec: place } })
  }
  return [...metafields.values()]
}

/**
 * The values of a metafield.
 * @returns undefined when a shopper could not read them, such as a reference to a record in the old shop
 */
export function valuesOfMetafield(text: string): string[] | undefined {
  if (/^[[{]|gid:\/\//.test(text) || text.length > MAX_VALUE_CHARACTERS) return undefined
  return text
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
