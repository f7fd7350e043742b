import { columnNames, plain } from './names.ts'

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
/** Columns that every file needs. */
const NEEDED: readonly CsvColumn[] = ['Handle', 'Title', 'Variant Price']

const BY_LOWER_CASE = new Map(CSV_FIELDS.map(([column]) => [column.toLowerCase(), column]))
const BY_NAME: ReadonlyMap<string, CsvColumn> = new Map(CSV_FIELDS.map(([column]) => [column, column]))

const MAX_COLUMNS = 500
const MAX_VALUE_CHARACTERS = 500

/** What a column may mean: a column of a product CSV, the care instructions, or an attribute such as `specs.fabric`. */
export type CsvTarget = CsvColumn | 'care' | `specs.${string}`
/** What a merchant says about columns, by their names in the file; null leaves a column out. */
export type CsvChoices = ReadonlyMap<string, CsvTarget | null>

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
  /** Those whose meaning was chosen, because their own names do not say it. */
  chosen: ReadonlySet<number>
  /** Those that the merchant leaves out. */
  leftOut: ReadonlySet<number>
}

/** Keys that a specification may hold: the built-in vocabulary and the store's own. */
export type CsvAttributes = readonly { key: string; label: string }[]

/** Interprets the header of a product CSV. @returns a description of the problem if it is not valid */
export function readCsvHeader(
  header: readonly string[],
  attributes: CsvAttributes,
  choices: CsvChoices = new Map(),
): CsvColumns | string {
  const columns = placeColumns(header, attributes, choices)
  if (typeof columns === 'string') return columns
  const missing = missingColumns(columns)
  return missing.length === 0
    ? columns
    : `must name the columns ${missing.join(', ')}, separated by commas, semicolons or tabs`
}

/** Columns that a file needs and does not have. A title that was chosen names its product, too. */
export function missingColumns({ places, chosen }: CsvColumns): CsvColumn[] {
  const isTitleChosen = chosen.has(places.get('Title') ?? -1)
  return NEEDED.filter((column) => !places.has(column) && !(column === 'Handle' && isTitleChosen))
}

/** Finds what each column means. @returns a description of the problem if it cannot be decided */
export function placeColumns(
  header: readonly string[],
  attributes: CsvAttributes,
  choices: CsvChoices = new Map(),
): CsvColumns | string {
  if (header.length > MAX_COLUMNS) return `must not name more than ${MAX_COLUMNS} columns`
  const names = columnNames(header)
  const positions = new Map(names.map((name, index) => [name.toLowerCase(), index]))
  const unknown = [...choices.keys()].find((name) => !positions.has(name.trim().toLowerCase()))
  if (unknown !== undefined) return `has no column “${unknown}”, for which a meaning was sent`
  const targets = new Map([...choices].map(([name, target]) => [positions.get(name.trim().toLowerCase()), target]))
  const places = new Map<CsvColumn, number>()
  for (const index of names.keys()) {
    const target = targets.get(index)
    const column = target === undefined ? BY_LOWER_CASE.get(plain(header[index] ?? '').toLowerCase()) : columnIn(target)
    if (column === undefined) continue
    const other = places.get(column)
    if (other !== undefined)
      return duplicateMessage(column, targets.has(index) || targets.has(other), [names[other], names[index]])
    places.set(column, index)
  }
  return {
    places,
    metafields: metafieldsOf(names, attributes, targets),
    names,
    chosen: new Set([...names.keys()].filter((index) => typeof targets.get(index) === 'string')),
    leftOut: new Set([...names.keys()].filter((index) => targets.get(index) === null)),
  }
}

function duplicateMessage(column: CsvColumn, isChosen: boolean, names: readonly (string | undefined)[]): string {
  return isChosen ? `has two columns for ${column}: ${names.join(', ')}` : `names the column ${column} twice`
}

function columnIn(target: CsvTarget | null): CsvColumn | undefined {
  return target === null ? undefined : BY_NAME.get(target)
}

const METAFIELD = /^(.*?)\s*\(product\.metafields\.[\w-]+\.([\w-]+)\)$/
const CARE = 'care-instructions'

/** Of two columns for one attribute the first counts; a chosen one comes before others. */
function metafieldsOf(
  names: readonly string[],
  attributes: CsvAttributes,
  targets: ReadonlyMap<number | undefined, CsvTarget | null>,
): CsvMetafield[] {
  const metafields = new Map<string, CsvMetafield>()
  const add = (index: number, key: string | undefined): void => {
    if (key === undefined || metafields.has(key)) return
    metafields.set(key, { index, goesTo: key === CARE ? 'care' : { spec: key } })
  }
  for (const index of names.keys()) add(index, attributeChosen(targets.get(index), attributes))
  for (const [index, name] of names.entries()) if (!targets.has(index)) add(index, attributeNamed(name, attributes))
  return [...metafields.values()]
}

function attributeChosen(target: CsvTarget | null | undefined, attributes: CsvAttributes): string | undefined {
  if (target === 'care') return CARE
  return attributes.find(({ key }) => target === `specs.${key}`)?.key
}

function attributeNamed(name: string, attributes: CsvAttributes): string | undefined {
  const [, label, key] = METAFIELD.exec(name) ?? []
  if (label === undefined || key === undefined) return undefined
  const plainKey = key.replaceAll('_', '-').toLowerCase()
  if (plainKey === CARE) return CARE
  const attribute = attributes.find(
    (each) => each.key === plainKey || each.label.toLowerCase() === label.trim().toLowerCase(),
  )
  return attribute?.key
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
