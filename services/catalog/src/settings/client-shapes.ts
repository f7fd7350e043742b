import { countryCodeOf } from '@storefront/contracts'
import { countryName } from '@storefront/mail-templates'

/** Targets of links in earlier versions, and the pages of the storefront that replaced them. */
const FORMER_ADDRESSES = [
  [/^\/category\//, '/shop/'],
  [/^\/collection\//, '/collections/'],
] as const

type Json = unknown
type JsonObject = Readonly<Record<string, Json>>

/**
 * Converts a document, or a part of one, to the shapes that the storefront reads. Merchants' programs and stored
 * documents may have older shapes: prices as Money, countries and currencies as codes or objects, links with `href`. A
 * value in neither shape is left for the schema to reject.
 * @param currency of the shop: a price in another currency is not converted, and is rejected later; undefined if it is
 * not known yet, and then every price is converted
 */
export function inClientShapes(document: Json, currency: string | undefined): Json {
  return within(document, {
    pricing: { currencies: each(currencyChoice) },
    commerce: { shippingMethods: each((method) => shippingMethod(method, currency)), countries: each(country) },
    navigation: {
      primary: each(navigationItem),
      footer: each(footerColumn),
      announcement: { messages: each((message) => (isObject(message) ? (message['label'] ?? message) : message)) },
    },
    home: each(homeSection),
    promises: each((promise) => (typeof promise === 'string' ? { title: promise } : promise)),
    checkout: checkout,
  })
}

type Change = ((value: Json) => Json) | { readonly [key: string]: Change }

/** Converts the values at these paths and keeps all others. */
function within(value: Json, changes: { readonly [key: string]: Change }): Json {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined
      if (change === undefined) return [key, part]
      return [key, typeof change === 'function' ? change(part) : within(part, change)]
    }),
  )
}

function each(change: (item: Json) => Json): (list: Json) => Json {
  return (list) => (Array.isArray(list) ? list.map(change) : list)
}

function shippingMethod(method: Json, currency: string | undefined): Json {
  if (!isObject(method) || !isObject(method['price'])) return method
  const { price } = method
  const isOfShop = currency === undefined || price['currency'] === currency
  return isOfShop && Object.keys(price).length === 2 ? { ...method, price: price['amount'] } : method
}

/** `'US'` and `{ code, name }` become `['US', 'United States']`. */
function country(given: Json): Json {
  const [code, name] = codeAndName(given)
  if (typeof code !== 'string' || (Array.isArray(given) && given.length > 2)) return given
  // Without surrounding spaces, because addresses are compared with it.
  const known = countryCodeOf(code) ?? code
  return [known, typeof name === 'string' && name !== '' ? name : countryName(known, 'en')]
}

function codeAndName(given: Json): readonly Json[] {
  if (isObject(given)) return [given['code'], given['name']]
  return Array.isArray(given) ? given : [given]
}

function currencyChoice(given: Json): Json {
  if (typeof given !== 'string') return given
  if (!/^[A-Z]{3}$/.test(given)) return { code: given }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: given, currencyDisplay: 'narrowSymbol' })
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value
  return { code: given, label: new Intl.DisplayNames('en', { type: 'currency' }).of(given), symbol }
}

function navigationItem(item: Json): Json {
  if (typeof item === 'string') return { label: item }
  if (!isObject(item)) return item
  const link = withTo(item)
  return Array.isArray(link['children']) ? { ...link, children: link['children'].map(navigationItem) } : link
}

function footerColumn(column: Json): Json {
  if (typeof column === 'string') return { title: column, links: [] }
  if (!isObject(column)) return column
  const { label, children, ...rest } = column
  const renamed = {
    ...rest,
    ...(label !== undefined && { title: rest['title'] ?? label }),
    ...(children !== undefined && { links: rest['links'] ?? children }),
  }
  return within(renamed, { links: each(navigationItem) })
}

function homeSection(section: Json): Json {
  if (!isObject(section)) return section
  const { cta, ...rest } = section
  if (section['type'] === 'hero' && isObject(cta) && rest['actions'] === undefined) {
    return { ...rest, actions: [withTo(cta)] }
  }
  if (section['type'] === 'collections') {
    const { collections, ...grid } = rest
    const limit = Array.isArray(collections) ? collections.length : 3
    return { ...grid, type: 'collection-grid', source: { limit: Math.max(1, limit) } }
  }
  return section
}

/** The public half of the key formerly had a name for Razorpay only. */
function checkout(settings: Json): Json {
  if (!isObject(settings) || typeof settings['razorpayKeyId'] !== 'string') return settings
  const { razorpayKeyId, ...rest } = settings
  const { publicKey } = rest
  return { ...rest, publicKey: typeof publicKey === 'string' && publicKey !== '' ? publicKey : razorpayKeyId }
}

function withTo(link: JsonObject): JsonObject {
  const { href, ...rest } = link
  if (typeof href !== 'string' || rest['to'] !== undefined) return link
  return { ...rest, to: FORMER_ADDRESSES.reduce((path, [former, current]) => path.replace(former, current), href) }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
