import type { CsvColumn } from '@storefront/contracts/product-csv'
import { readCsvPrice } from './csv-price.ts'
import { sharedPrices } from './shared-prices.ts'
import { imageIdOf } from './shopify-images.ts'
import { quoted, type CellReader, type CsvRow } from './shopify-row.ts'

const OPTIONS = [
  { name: 'Option1 Name', value: 'Option1 Value' },
  { name: 'Option2 Name', value: 'Option2 Value' },
  { name: 'Option3 Name', value: 'Option3 Value' },
] as const satisfies { name: CsvColumn; value: CsvColumn }[]
/** Shopify writes this option for a product without options. */
const NO_OPTION = { name: 'title', value: 'default title' }

export interface CsvOption {
  name: string
  nameColumn: CsvColumn
  valueColumn: CsvColumn
}
export type CsvVariant = ReturnType<typeof variantOf>

/** The options of a product: its first row names them, or a column that was chosen for their values. */
export function optionsOf(rows: readonly [CsvRow, ...CsvRow[]], cells: CellReader): CsvOption[] {
  const [first] = rows
  const options = OPTIONS.flatMap(({ name, value }): CsvOption[] => {
    const ownName = optionNamedBy(value, name, rows, cells)
    if (ownName !== undefined) return [{ name: ownName, nameColumn: value, valueColumn: value }]
    const text = cells.text(first, name)
    const isNone = text.toLowerCase() === NO_OPTION.name && cells.text(first, value).toLowerCase() === NO_OPTION.value
    return text === '' || isNone ? [] : [{ name: text, nameColumn: name, valueColumn: value }]
  })
  for (const [index, { name, nameColumn }] of options.entries()) {
    const isTwice = options.slice(0, index).some((other) => other.name.toLowerCase() === name.toLowerCase())
    if (isTwice) cells.fault(first, nameColumn, `${quoted(name)} is already another option of this product`)
  }
  return options
}

/** Where no column has the names of an option, the column of its values names it, such as “Farbe”. */
function optionNamedBy(
  value: CsvColumn,
  name: CsvColumn,
  rows: readonly CsvRow[],
  cells: CellReader,
): string | undefined {
  const { columns } = cells
  const place = columns.places.get(value)
  if (place === undefined || columns.places.has(name) || !columns.chosen.has(place)) return undefined
  return rows.some((row) => cells.text(row, value) !== '') ? columns.names[place] : undefined
}

/** The variants of a product: rows that have a price, a SKU or a value of an option. Others hold only pictures. */
export function variantsOf(rows: readonly CsvRow[], cells: CellReader, options: readonly CsvOption[]): CsvVariant[] {
  const columns = ['Variant Price', 'Variant SKU', ...OPTIONS.map(({ value }) => value)] as const
  const variants = rows
    .filter((row) => columns.some((column) => cells.text(row, column) !== ''))
    .map((row) => variantOf(row, cells, options))
  reportTwins(variants, options, cells)
  return variants
}

/** A value is undefined when the cell is empty or invalid. */
function variantOf(row: CsvRow, cells: CellReader, options: readonly CsvOption[]) {
  const url = cells.text(row, 'Variant Image')
  if (cells.text(row, 'Variant Price') === '') cells.fault(row, 'Variant Price', 'must be given')
  return {
    row,
    sku: cells.text(row, 'Variant SKU').replace(/^'/, ''),
    options: valuesOf(row, options, cells),
    priceMinor: priceOf(row, 'Variant Price', cells),
    // Shopify writes zero when there is no compare-at price.
    compareAtMinor: priceOf(row, 'Variant Compare At Price', cells) || undefined,
    inventory: inventoryOf(row, cells),
    imageId: url === '' ? undefined : imageIdOf(url),
  }
}

function valuesOf(row: CsvRow, options: readonly CsvOption[], cells: CellReader): Record<string, string> {
  for (const { value } of OPTIONS) {
    const text = cells.text(row, value)
    const isNamed = options.some(({ valueColumn }) => valueColumn === value)
    if (text !== '' && !isNamed && text.toLowerCase() !== NO_OPTION.value) {
      cells.fault(row, value, `${quoted(text)} is a value of an option that the first row of the product does not name`)
    }
  }
  return Object.fromEntries(
    options.flatMap(({ name, valueColumn }) => {
      const text = cells.text(row, valueColumn)
      if (text === '')
        cells.fault(row, valueColumn, `must be given, because the product has the option ${quoted(name)}`)
      return text === '' ? [] : [[name, text]]
    }),
  )
}

function priceOf(row: CsvRow, column: CsvColumn, cells: CellReader): number | undefined {
  const text = cells.text(row, column)
  if (text === '') return undefined
  const amount = readCsvPrice(text, cells)
  if (typeof amount === 'number') return amount
  cells.fault(row, column, amount)
  return undefined
}

/** A negative stock in Shopify means oversold units: here it is zero. */
function inventoryOf(row: CsvRow, cells: CellReader): number | undefined {
  const text = cells.text(row, 'Variant Inventory Qty')
  if (/^-?\d{1,10}$/.test(text)) return Math.max(0, Number(text))
  if (text !== '') cells.fault(row, 'Variant Inventory Qty', `must be a whole number such as 12, not ${quoted(text)}`)
  return undefined
}

/**
 * Reports two variants with the same values of all options: a shopper could not distinguish them. In a file without
 * columns for options the SKUs are compared instead, because the shop may have the options.
 */
function reportTwins(variants: readonly CsvVariant[], options: readonly CsvOption[], cells: CellReader): void {
  const { places } = cells.columns
  const hasOptions = OPTIONS.some(({ name, value }) => places.has(name) || places.has(value))
  const seen = new Map<string, CsvRow>()
  for (const { row, sku, options: values } of variants) {
    const key = JSON.stringify(hasOptions ? options.map(({ name }) => values[name]) : sku)
    const first = seen.get(key)
    if (!first) seen.set(key, row)
    else if (Object.keys(values).length === options.length) {
      const shown = Object.values(values).join(' / ') || 'without options'
      const column = options[0]?.valueColumn ?? 'Variant Price'
      cells.fault(row, column, `the variant ${quoted(shown)} is already in row ${first.number}`)
    }
  }
}

/** @returns undefined when no variant has a price that can be read */
export function lowestPriceOf(variants: readonly CsvVariant[]): number | undefined {
  const prices = variants.flatMap(({ priceMinor }) => priceMinor ?? [])
  return prices.length === 0 ? undefined : prices.reduce((one, other) => Math.min(one, other))
}

/** The prices of a product, and those of its variants where they differ, in the order of the variants. */
export function pricesOf(variants: readonly CsvVariant[], { currency }: CellReader) {
  const lowestMinor = lowestPriceOf(variants) ?? 0
  const priced = variants.map(({ priceMinor = lowestMinor, compareAtMinor }) => ({ priceMinor, compareAtMinor }))
  const { own, ...prices } = sharedPrices(priced, currency)
  return {
    ...prices,
    variants: variants.map(({ sku, options, inventory, imageId }, index) => ({
      ...(sku !== '' && { sku }),
      options,
      ...own[index],
      ...(inventory !== undefined && { inventory }),
      ...(imageId !== undefined && { imageId }),
    })),
  }
}
