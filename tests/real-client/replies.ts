/** An error that the storefront shows to a shopper, or handles. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly detail: unknown

  constructor(status: number, { message, code, detail }: { message: string; code: string; detail: unknown }) {
    super(`${status} ${code}: ${message}`)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

/** A reply with which a page could not be rendered. */
export class ContractFailure extends Error {
  constructor(place: string, wanted: string, got: unknown) {
    super(`${place}: expected ${wanted}, got ${JSON.stringify(got)?.slice(0, 300)}`)
  }
}

export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function check(isRight: boolean, place: string, wanted: string, got: unknown): asserts isRight {
  if (!isRight) throw new ContractFailure(place, wanted, got)
}

export function objectAt(value: unknown, place: string): Json {
  check(isObject(value), place, 'an object', value)
  return value
}

export function listAt(value: unknown, place: string): readonly unknown[] {
  check(Array.isArray(value), place, 'a list', value)
  return value
}

export function textAt(value: unknown, place: string): string {
  check(typeof value === 'string' && value !== '', place, 'a text that is not empty', value)
  return value
}

export function moneyAt(value: unknown, place: string): { amount: number; currency: string } {
  check(
    isObject(value) && Number.isInteger(value['amount']) && typeof value['currency'] === 'string',
    place,
    'money { amount: integer, currency }',
    value,
  )
  return { amount: Number(value['amount']), currency: value['currency'] }
}

/** The items of a reply, which must be `{ items, total }`. */
export function itemsOf(reply: unknown, place: string): readonly Json[] {
  const { items, total } = objectAt(reply, place)
  check(typeof total === 'number', `${place} total`, 'a number', total)
  return listAt(items, `${place} items`).map((item, index) => objectAt(item, `${place} items[${index}]`))
}

export function productAt(value: unknown, place: string): Json {
  const product = objectAt(value, place)
  for (const key of ['id', 'slug', 'title']) textAt(product[key], `${place}.${key}`)
  moneyAt(product['price'], `${place}.price`)
  check(listAt(product['images'], `${place}.images`).length > 0, `${place}.images`, 'one image at least', [])
  check(listAt(product['variants'], `${place}.variants`).length > 0, `${place}.variants`, 'one variant at least', [])
  if (product['fabric'] !== undefined) {
    listAt(objectAt(product['fabric'], `${place}.fabric`)['composition'], `${place}.fabric.composition`)
  }
  return product
}

export function cartAt(value: unknown, place: string): Json {
  const cart = objectAt(value, place)
  textAt(cart['id'], `${place}.id`)
  listAt(cart['lines'], `${place}.lines`)
  moneyAt(cart['subtotal'], `${place}.subtotal`)
  moneyAt(cart['total'], `${place}.total`)
  return cart
}
