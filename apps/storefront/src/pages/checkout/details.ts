import type { paths, StorefrontError } from '@storefront/client'

/** In the order of the page. */
export const FIELDS = [
  'email',
  'name',
  'line1',
  'line2',
  'postalCode',
  'city',
  'region',
  'country',
  'phone',
  'method',
  'gift',
] as const
export type FieldName = (typeof FIELDS)[number]

/** What a shopper enters, as text. */
export type Details = Record<FieldName, string>

const REQUIRED = ['email', 'name', 'line1', 'postalCode', 'city', 'country'] as const satisfies readonly FieldName[]

/** What is wrong with a checkout, for the shopper. */
export interface Problems {
  fields: Partial<Record<FieldName | 'code', string>>
  /** About the whole checkout, and not about a field. */
  notice?: string | undefined
  /** Lines that cannot be had in this quantity. */
  short?: readonly ShortLine[] | undefined
  /** Whether the notice leads to the look-up of orders. */
  leadsToLookup?: boolean
}

export interface ShortLine {
  lineId: string
  title: string
  options: Record<string, string>
  available: number
}

export const NO_PROBLEMS: Problems = { fields: {} }

export function hasProblems({ fields, notice, short }: Problems): boolean {
  return Object.keys(fields).length > 0 || notice !== undefined || (short?.length ?? 0) > 0
}

/** A form sends line breaks as two characters, which count towards limits. */
export function readDetails(form: URLSearchParams): Details {
  const read = (field: FieldName) => (form.get(field) ?? '').replaceAll('\r\n', '\n').trim()
  return {
    email: read('email'),
    name: read('name'),
    line1: read('line1'),
    line2: read('line2'),
    city: read('city'),
    region: read('region'),
    postalCode: read('postalCode'),
    country: read('country'),
    phone: read('phone'),
    method: read('method'),
    gift: read('gift'),
  }
}

export function missingFields(details: Details): FieldName[] {
  return REQUIRED.filter((field) => details[field] === '')
}

export type CheckoutBody = NonNullable<
  paths['/carts/{id}/checkout']['post']['requestBody']
>['content']['application/json']

/** The same details make the same body, so that a repeated request is recognized. */
export function bodyOf(details: Details, storefrontUrl: string): CheckoutBody {
  const { email, method, gift, name, line1, line2, city, region, postalCode, country, phone } = details
  return {
    email,
    shipping_address: { name, line1, line2, city, region, postalCode, country, phone },
    ...(method !== '' && { shipping_method: method }),
    ...(gift !== '' && { gift_message: gift }),
    success_url: `${storefrontUrl}/order/{ORDER_ID}?paid=1`,
    cancel_url: `${storefrontUrl}/checkout?payment=cancelled`,
  }
}

const isField = (name: string): name is FieldName => FIELDS.some((field) => field === name)

/** @returns the fields that an error of the shop names */
export function fieldsOf({ code, detail }: StorefrontError): FieldName[] {
  if (code === 'email_required' || code === 'invalid_email') return ['email']
  if (code === 'undeliverable_country') return ['country']
  if (code === 'invalid_shipping_method') return ['method']
  if (typeof detail !== 'object' || detail === null) return []
  const named = 'fields' in detail && Array.isArray(detail.fields) ? detail.fields : []
  const issues = 'issues' in detail && Array.isArray(detail.issues) ? detail.issues : []
  const paths = [...named, ...issues.map((issue: unknown) => textIn(issue, 'path'))]
  return paths.flatMap((path: unknown) => {
    const name = typeof path === 'string' ? (path.split('.').at(-1) ?? '') : ''
    const field = { gift_message: 'gift', shipping_method: 'method' }[name] ?? name
    return isField(field) ? [field] : []
  })
}

/** @returns the ids of the shop's shipping methods, where the shop rejects another one */
export function knownMethodsOf({ code, detail }: StorefrontError): ReadonlySet<unknown> | undefined {
  if (code !== 'invalid_shipping_method') return undefined
  const known: unknown = Reflect.get(Object(detail), 'known')
  return Array.isArray(known) ? new Set<unknown>(known) : undefined
}

/** @returns the lines that an error of the shop names */
export function shortLinesOf({ detail }: StorefrontError): ShortLine[] {
  if (typeof detail !== 'object' || detail === null || !('lines' in detail) || !Array.isArray(detail.lines)) return []
  return detail.lines.flatMap((line: unknown) => {
    const lineId = textIn(line, 'lineId')
    const available: unknown = Reflect.get(Object(line), 'available')
    if (lineId === '' || typeof available !== 'number') return []
    const options: unknown = Reflect.get(Object(line), 'options')
    const texts = Object.entries(Object(options)).map(([name, value]) => [name, String(value)])
    return [{ lineId, title: textIn(line, 'title'), options: Object.fromEntries(texts), available }]
  })
}

function textIn(value: unknown, name: string): string {
  const text: unknown = Reflect.get(Object(value), name)
  return typeof text === 'string' ? text : ''
}
