import { createHash } from 'node:crypto'
import type { Issue } from '../errors.ts'
import { minorUnitsOf } from './decimal-price.ts'
import { plainText } from './plain-text.ts'

/** A row of a product CSV: its cells by the names of their columns in lower case. */
export interface CsvRow {
  line: number
  cells: Readonly<Record<string, string>>
}

/** What Shopify writes for a product without options. */
const DEFAULT_OPTION = 'title'

/** Pictures that no row gives a place stand behind those with one. */
const LAST = 1_000_000

interface CsvVariant {
  sku?: string
  options: Record<string, string>
  priceMinor: number
  compareAtMinor: number | undefined
  inventory?: number
  imageId?: string
}

/**
 * Makes a product of the rows of one handle: the first says what it is, each may add a variant and a picture.
 * @returns the product as an import takes it, still to be checked, and the faults of its cells
 */
export function shopifyProduct(
  rows: readonly [CsvRow, ...CsvRow[]],
  currency: string,
): { data: unknown; issues: Issue[] } {
  const [first] = rows
  const issues: Issue[] = []
  const cell = (name: string, row: CsvRow = first) => row.cells[name]?.trim() ?? ''
  const names = ['option1', 'option2', 'option3'].map((option) => ({ option, name: cell(`${option} name`) }))
  const images = new Map<string, { id: string; url: string; alt?: string; place: number }>()
  const imageOf = (url: string, alt: string, position: string): string => {
    const known = images.get(url)
    const id = known?.id ?? `img_${createHash('sha1').update(url).digest('hex').slice(0, 24)}`
    const place = /^\d{1,6}$/.test(position) ? Number(position) : LAST + images.size
    if (!known) images.set(url, { id, url, ...(alt !== '' && { alt: alt.slice(0, 500) }), place })
    return id
  }
  const price = (row: CsvRow, column: string): number | undefined => {
    const text = cell(column, row)
    if (text === '') return undefined
    const amount = minorUnitsOf(text, currency)
    if (amount === undefined) {
      issues.push({ path: `line ${row.line}: ${column}`, message: `${text.slice(0, 40)} is no price in ${currency}` })
    }
    return amount
  }
  const variants = rows.flatMap((row): CsvVariant[] => {
    const src = cell('image src', row)
    if (src !== '') imageOf(src, cell('image alt text', row), cell('image position', row))
    const isVariant = ['variant price', 'variant sku', 'option1 value'].some((column) => cell(column, row) !== '')
    if (!isVariant) return []
    const options = Object.fromEntries(
      names.flatMap(({ option, name }) => {
        const value = cell(`${option} value`, row)
        return name === '' || value === '' || name.toLowerCase() === DEFAULT_OPTION ? [] : [[name, value]]
      }),
    )
    const given = price(row, 'variant price')
    if (given === undefined && cell('variant price', row) === '') {
      issues.push({ path: `line ${row.line}: variant price`, message: 'must be given' })
    }
    const quantity = cell('variant inventory qty', row)
    if (quantity !== '' && !/^-?\d{1,10}$/.test(quantity)) {
      issues.push({ path: `line ${row.line}: variant inventory qty`, message: 'must be a whole number' })
    }
    const sku = cell('variant sku', row).replace(/^'/, '')
    const picture = cell('variant image', row)
    return [
      {
        ...(sku !== '' && { sku }),
        options,
        priceMinor: given ?? 0,
        compareAtMinor: price(row, 'variant compare at price'),
        // What was sold and is not there is not less than nothing here.
        ...(quantity !== '' && { inventory: Math.max(0, Number(quantity)) }),
        ...(picture !== '' && { imageId: imageOf(picture, '', '') }),
      },
    ]
  })
  if (variants.length === 0 && issues.length === 0) {
    issues.push({ path: `line ${first.line}: variant price`, message: 'must be given' })
  }
  return { data: productOf({ cell, variants, names, images: [...images.values()], currency }), issues }
}

function productOf({
  cell,
  variants,
  names,
  images,
  currency,
}: {
  cell: (name: string) => string
  variants: readonly CsvVariant[]
  names: readonly { name: string }[]
  images: readonly { id: string; url: string; alt?: string; place: number }[]
  currency: string
}): unknown {
  const money = (amount: number) => ({ amount, currency })
  const lowest = variants.reduce<CsvVariant | undefined>(
    (best, each) => (best && best.priceMinor <= each.priceMinor ? best : each),
    undefined,
  )
  const vendor = cell('vendor')
  const tags = [...cell('tags').split(','), cell('type')].map((tag) => tag.trim()).filter((tag) => tag !== '')
  const options = names.flatMap(({ name }) => {
    const values = [...new Set(variants.flatMap((variant) => variant.options[name] ?? []))]
    return values.length === 0 ? [] : [{ name, values }]
  })
  const status = cell('status').toLowerCase()
  return {
    slug: cell('handle'),
    title: cell('title'),
    description: plainText(cell('body (html)')),
    price: money(lowest?.priceMinor ?? 0),
    compareAtPrice: lowest?.compareAtMinor === undefined ? null : money(lowest.compareAtMinor),
    images: images.toSorted((one, other) => one.place - other.place).map(({ place: _place, ...image }) => image),
    options,
    variants: variants.map(({ priceMinor, compareAtMinor, ...variant }) => ({
      ...variant,
      ...(priceMinor !== lowest?.priceMinor && { price: money(priceMinor), priceOverride: true }),
      ...(compareAtMinor !== undefined && { compareAtPrice: money(compareAtMinor) }),
    })),
    tags: [...new Set(tags)],
    published: cell('published').toLowerCase() !== 'false' && (status === '' || status === 'active'),
    ...(vendor !== '' && { enrichment: { maker: { name: vendor, location: '' } } }),
  }
}
