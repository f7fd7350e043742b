import { minorUnitDigits } from '@storefront/contracts/currency'
import type { ProductQuery } from '../../shop/catalog.ts'

/** The parameters of a list in the address of its page, in their order: those of `GET /products`. */
export const LIST_PARAMETERS = [
  'q',
  'sizes',
  'colors',
  'tags',
  'min_price',
  'max_price',
  'in_stock',
  'sort',
  'page',
  'cursor',
] as const

export const SORTS = ['featured', 'newest', 'price-asc', 'price-desc', 'rating', 'name'] as const
type Sort = (typeof SORTS)[number]

/** A multiple of two, three and four, which are the columns of the grid. */
export const PER_PAGE = 24
/** The shop rejects longer lists of values. */
const MAX_VALUES = 40
const MAX_SEARCH = 200
const MAX_PAGE = 100_000
const MAX_CURSOR = 2000
/** The shop rejects texts with these, and no field accepts them. */
const CONTROLS = /\p{Cc}/gu
const AMOUNT = /^\d{1,9}(?:[.,]\d{1,4})?$/

/** What the shopper chose. */
export interface ListState {
  q: string
  /** Values joined by commas: a value may contain a comma, so only the values of the shop show where one ends. */
  sizes: string
  colors: string
  tags: string
  /** In minor units. */
  minPrice: number | undefined
  maxPrice: number | undefined
  inStock: boolean
  sort: Sort
  page: number
  cursor: string | undefined
}

/** What a shopper typed, as far as it can be searched for. */
export function searchText(text: string | null): string {
  return (text ?? '').replaceAll(CONTROLS, ' ').trim().slice(0, MAX_SEARCH)
}

const isSort = (text: string | null): text is Sort => SORTS.some((sort) => sort === text)

/** @param currency of the shop: prices in an address are in its major unit, as people write them */
export function readListState(query: URLSearchParams, currency: string): ListState {
  const least = amountIn(query.get('min_price'), currency)
  const most = amountIn(query.get('max_price'), currency)
  const isReversed = least !== undefined && most !== undefined && least > most
  const sort = query.get('sort')
  const page = Number(query.get('page') ?? 1)
  const cursor = query.get('cursor') ?? ''
  return {
    q: searchText(query.get('q')),
    sizes: valuesOf(query.get('sizes')),
    colors: valuesOf(query.get('colors')),
    tags: valuesOf(query.get('tags')),
    minPrice: isReversed ? most : least,
    maxPrice: isReversed ? least : most,
    inStock: query.get('in_stock') === '1',
    sort: isSort(sort) ? sort : 'featured',
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
    cursor: cursor === '' || cursor.length > MAX_CURSOR ? undefined : cursor,
  }
}

function valuesOf(text: string | null): string {
  const parts = (text ?? '')
    .replaceAll(CONTROLS, '')
    .split(',')
    .filter((part) => part !== '')
  return parts.slice(0, MAX_VALUES).join(',')
}

function amountIn(text: string | null, currency: string): number | undefined {
  if (text === null || !AMOUNT.test(text)) return undefined
  return Math.round(Number(text.replace(',', '.')) * 10 ** minorUnitDigits(currency))
}

/** @returns the amount as it stands in a field of a form: in major units, with a decimal point */
export function majorUnits(amount: number | undefined, currency: string): string {
  return amount === undefined ? '' : String(amount / 10 ** minorUnitDigits(currency))
}

export function listQuery(state: ListState): ProductQuery {
  const { q, sizes, colors, tags, minPrice, maxPrice, inStock, sort, page, cursor } = state
  return {
    sort,
    per_page: PER_PAGE,
    ...(q !== '' && { q }),
    ...(sizes !== '' && { sizes }),
    ...(colors !== '' && { colors }),
    ...(tags !== '' && { tags }),
    ...(minPrice !== undefined && { min_price: minPrice }),
    ...(maxPrice !== undefined && { max_price: maxPrice }),
    ...(inStock && { in_stock: '1' }),
    ...(cursor === undefined ? { page } : { cursor }),
  }
}

/** @returns the address of the page that shows this, without parameters that change nothing */
export function listAddress(path: string, state: ListState, currency: string): string {
  const { q, sizes, colors, tags, minPrice, maxPrice, inStock, sort, page, cursor } = state
  const values = {
    q,
    sizes,
    colors,
    tags,
    min_price: majorUnits(minPrice, currency),
    max_price: majorUnits(maxPrice, currency),
    in_stock: inStock ? '1' : '',
    sort: sort === 'featured' ? '' : sort,
    page: page === 1 ? '' : String(page),
    cursor: cursor ?? '',
  }
  const query = new URLSearchParams()
  for (const name of LIST_PARAMETERS) if (values[name] !== '') query.set(name, values[name])
  const text = query.toString().replaceAll('%2C', ',')
  return text === '' ? path : `${path}?${text}`
}

/** Separates values that are joined by commas. @param known values that exist, which may contain commas */
export function chosenValues(joined: string, known: readonly string[]): string[] {
  if (joined === '') return []
  const within = `,${joined},`
  const found = known.filter((value) => within.includes(`,${value},`))
  const parts = new Set(found.flatMap((value) => value.split(',')))
  const unknown = joined.split(',').filter((part) => part !== '' && !parts.has(part))
  return [...found, ...new Set(unknown)]
}

export function isFiltered({ sizes, colors, tags, minPrice, maxPrice, inStock }: ListState): boolean {
  return `${sizes}${colors}${tags}` !== '' || minPrice !== undefined || maxPrice !== undefined || inStock
}

/** The same list from its start, without any filter. */
export function withoutFilters(state: ListState): ListState {
  const none = { sizes: '', colors: '', tags: '', minPrice: undefined, maxPrice: undefined, inStock: false }
  return { ...state, ...none, page: 1, cursor: undefined }
}
