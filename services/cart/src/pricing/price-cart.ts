import {
  money,
  portionOf,
  servedCountries,
  type BoardEntry,
  type BoardSettings,
  type Cart,
  type CartLine,
  type ShippingMethod,
} from '@storefront/contracts'
import type { StoredLine } from '../cart/stored-cart.ts'

export interface PricingInput {
  lines: readonly StoredLine[]
  /** Entries of the board by variant; a variant without one is gone. */
  entries: ReadonlyMap<string, BoardEntry>
  settings: BoardSettings
  /** Where it goes. Before checkout knows: the store's default country. */
  destination?: { country: string; region: string } | undefined
  /** Until checkout chooses: the first method. */
  shippingMethod?: ShippingMethod | undefined
}

export type PricedCart = Omit<Cart, 'id'>

/**
 * Prices a cart: a pure function of lines, board and settings (decisions, section 4). All amounts are integers in minor
 * units, and `total = subtotal - discount + shipping + tax`, the tax left out when prices include it.
 */
export function priceCart({ lines, entries, settings, destination, shippingMethod }: PricingInput): PricedCart {
  const { currency, commerce } = settings
  const priced = lines.map((line) => priceLine(line, entries.get(line.variantId), currency))
  const counted = priced.filter((line) => line.available !== false)
  const subtotal = counted.reduce((sum, line) => sum + line.lineTotal.amount, 0)
  const discount = 0
  const net = subtotal - discount
  const threshold = commerce.freeShippingOver ?? undefined
  const shipping =
    counted.length === 0
      ? 0
      : shippingPrice(commerce.shippingMethods ?? [], shippingMethod, threshold !== undefined && net >= threshold)
  const { tax, added } = taxOn(net, shipping, settings, destination)
  const of = (amount: number) => money(amount, currency)
  return {
    currency,
    lines: priced,
    subtotal: of(subtotal),
    discount: of(discount),
    shipping: of(shipping),
    tax: of(tax),
    total: of(net + shipping + (added ? tax : 0)),
    freeShippingThreshold: of(threshold ?? 0),
    freeShippingRemaining: of(threshold === undefined ? 0 : Math.max(0, threshold - net)),
  }
}

/** A line whose product is withdrawn stays in the cart as it was, and counts towards nothing. */
function priceLine(line: StoredLine, entry: BoardEntry | undefined, currency: string): CartLine {
  const sold = entry?.facts.published === true && entry.facts.price.currency === currency
  const facts = sold ? entry.facts : line.remembered
  const unit = facts.price.amount
  return {
    id: line.id,
    variantId: line.variantId,
    productSlug: facts.productSlug,
    title: facts.title,
    options: facts.options,
    image: facts.image,
    quantity: line.quantity,
    unitPrice: money(unit, currency),
    lineTotal: money(unit * line.quantity, currency),
    ...(sold ? {} : { available: false }),
  }
}

/** Free shipping covers the first method; a dearer one then costs what it is dearer. */
function shippingPrice(methods: readonly ShippingMethod[], chosen: ShippingMethod | undefined, free: boolean): number {
  const first = methods[0]?.price.amount ?? 0
  const price = chosen?.price.amount ?? first
  return free ? Math.max(0, price - first) : price
}

function taxOn(
  net: number,
  shipping: number,
  { commerce }: BoardSettings,
  destination: PricingInput['destination'],
): { tax: number; added: boolean } {
  const rules = commerce.tax
  if (!rules) return { tax: 0, added: true }
  const rate = taxRate(rules, destination ?? { country: defaultCountry(commerce), region: '' })
  const base = net + (rules.shippingTaxed ? shipping : 0)
  if (!rules.pricesIncludeTax) return { tax: portionOf(base, rate, 10_000), added: true }
  // The share of the tax in a price that holds it already.
  return { tax: portionOf(base, rate, 10_000 + rate), added: false }
}

/** Basis points: of the region, else of the country, else the default. */
function taxRate(
  rules: NonNullable<BoardSettings['commerce']['tax']>,
  { country, region }: { country: string; region: string },
): number {
  const inCountry = rules.rates.filter((rule) => rule.country.toUpperCase() === country.toUpperCase())
  const rule =
    inCountry.find((each) => each.region !== undefined && each.region.toUpperCase() === region.trim().toUpperCase()) ??
    inCountry.find((each) => each.region === undefined)
  return rule?.rate ?? rules.defaultRate
}

/** The country a cart is taxed for before anybody said where it goes: the first one served. */
function defaultCountry(commerce: BoardSettings['commerce']): string {
  return servedCountries(commerce)[0] ?? ''
}
