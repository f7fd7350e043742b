/** The columns that products have a field for, and the field that each fills. */
const FIELDS = [
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
export type Column = (typeof FIELDS)[number][0]
/** Columns that every file needs. */
const NEEDED: readonly Column[] = ['Handle', 'Title', 'Variant Price']

const BY_LOWER_CASE = new Map(FIELDS.map(([column]) => [column.toLowerCase(), column]))

/** The first column that fills a field. */
export function columnOf(field: string): Column | undefined {
  return FIELDS.find(([, filled]) => filled === field)?.[0]
}

const MAX_COLUMNS = 500
const SHOWN_CHARACTERS = 100
const SHOWN_COLUMNS = 100
const MAX_VALUE_CHARACTERS = 500

/** A column whose values describe the product: its key in the specification, or in the care instructions. */
interface Metafield {
  index: number
  goesTo: 'care' | { spec: string }
}

/** The meanings of a file's columns, by their positions. */
export interface Columns {
  places: ReadonlyMap<Column, number>
  metafields: readonly Metafield[]
  /** As in the file. */
  names: readonly string[]
}

/** Keys that a specification may hold: the built-in vocabulary and the store's own. */
export type Attributes = readonly { key: string; label: string }[]

/** Interprets the header of a file. @returns a description of the problem if it is not valid */
export function readHeader(header: readonly string[], attributes: Attributes): Columns | string {
  if (header.length > MAX_COLUMNS) return `must not name more than ${MAX_COLUMNS} columns`
  const names = header.map((name, index) => name.trim().slice(0, SHOWN_CHARACTERS) || `column ${index + 1}`)
  const places = new Map<Column, number>()
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
function metafieldsOf(names: readonly string[], attributes: Attributes): Metafield[] {
  const metafields = new Map<string, Metafield>()
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

/** Fields of a product for which no CSV has a column. */
const NEVER_GIVEN = [
  'subtitle',
  'details',
  'swatches',
  'categories',
  'badges',
  'position',
  'createdAt',
  'publishAt',
  'unpublishAt',
  'fit',
  'fabric',
  'sizeChartId',
  'relatedSlugs',
]
/** Fields that a CSV contains only with one of these columns. */
const COLUMNS_BY_FIELD: Readonly<Record<string, readonly Column[]>> = {
  description: ['Body (HTML)'],
  tags: ['Tags', 'Type'],
  published: ['Published', 'Status'],
  images: ['Image Src', 'Variant Image'],
}

/** Fields of a product that a file with these columns does not contain. */
export function fieldsNotGiven({ places, metafields }: Columns): string[] {
  const namesCare = metafields.some(({ goesTo }) => goesTo === 'care')
  return [
    ...NEVER_GIVEN,
    ...Object.entries(COLUMNS_BY_FIELD).flatMap(([field, columns]) =>
      columns.some((each) => places.has(each)) ? [] : [field],
    ),
    ...(namesCare ? [] : ['care']),
  ]
}

/** Records which columns have values that were not imported. */
export function watchColumns({ places, metafields, names }: Columns) {
  const taken = new Set(places.values())
  const open = new Set([...names.keys()].filter((index) => !taken.has(index)))
  const readable = new Set(metafields.map(({ index }) => index))
  const found = new Set<number>()
  return {
    look(cells: readonly string[]): void {
      for (const index of open) {
        const text = cells[index]?.trim() ?? ''
        if (text === '' || (readable.has(index) && valuesOfMetafield(text) !== undefined)) continue
        found.add(index)
        open.delete(index)
      }
    },
    notTaken(): string[] {
      const shown = [...found].toSorted((one, other) => one - other).map((index) => names[index] ?? '')
      if (shown.length <= SHOWN_COLUMNS) return shown
      return [...shown.slice(0, SHOWN_COLUMNS), `and ${shown.length - SHOWN_COLUMNS} more`]
    },
  }
}
