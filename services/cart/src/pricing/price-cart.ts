import {
  formatMoney,
  inOptionOrder,
  money,
  portionOf,
  servedCountries,
  type PriceEntry,
  type PriceSettings,
  type Cart,
  type CartLine,
  type ShippingMethod,
  type TaxTerms,
} from '@storefront/contracts'
import type { StoredLine } from '../cart/stored-cart.ts'
import type { StoredDiscount } from '../discounts/discount.ts'
import { eligibleSubtotal, factsOfSold, soldLines, subtotalOf, type SoldLine } from './eligible-lines.ts'
import { taxRate, type Destination } from './tax-rate.ts'

/** A discount that is known to be valid for this cart. */
export type AppliedDiscount = Pick<StoredDiscount, 'code' | 'kind' | 'value' | 'label' | 'categories' | 'products'>

export interface PricingInput {
  lines: readonly StoredLine[]
  /** Entries of the price projection by variant; a variant without an entry was deleted. */
  entries: ReadonlyMap<string, PriceEntry>
  settings: PriceSettings
  /** The destination. Before the checkout: the shop's default country. */
  destination?: Destination | undefined
  /** Before the checkout: the first method. */
  shippingMethod?: ShippingMethod | undefined
  discount?: AppliedDiscount | undefined
}

/**
 * Prices a cart: a pure function of lines, price projection, settings and discount. All amounts are integers in minor
 * units, and `total = subtotal - discount + shipping + tax`, the tax left out when prices include it.
 */
export function priceCart({
  lines,
  entries,
  settings,
  destination,
  shippingMethod,
  discount: applied,
}: PricingInput): Omit<Cart, 'id'> {
  const { currency, commerce } = settings
  const priced = lines.map((line) => priceLine(line, entries.get(line.variantId), currency))
  const sold = soldLines(lines, entries, currency)
  const subtotal = subtotalOf(sold)
  const discount = discountOn(sold, applied)
  const net = subtotal - discount
  const threshold = commerce.freeShippingOver ?? undefined
  const givesShipping = applied?.kind === 'shipping'
  const isFree = givesShipping || (threshold !== undefined && net >= threshold)
  const shipping = sold.length === 0 ? 0 : shippingPrice(commerce.shippingMethods ?? [], shippingMethod, isFree)
  const { tax, added } = taxOn(net, shipping, taxTermsOf(settings, destination))
  const inCurrency = (amount: number) => money(amount, currency)
  return {
    currency,
    lines: priced,
    subtotal: inCurrency(subtotal),
    discount: inCurrency(discount),
    shipping: inCurrency(shipping),
    tax: inCurrency(tax),
    total: inCurrency(net + shipping + (added ? tax : 0)),
    ...(applied && { discountCode: { code: applied.code, label: labelOf(applied, settings) } }),
    freeShippingThreshold: inCurrency(threshold ?? 0),
    freeShippingRemaining: inCurrency(threshold === undefined || givesShipping ? 0 : Math.max(0, threshold - net)),
  }
}

/** Percentages are rounded half up once, on the eligible subtotal; a discount is never more than that subtotal. */
function discountOn(lines: readonly SoldLine[], discount: AppliedDiscount | undefined): number {
  if (!discount || discount.kind === 'shipping') return 0
  const eligible = eligibleSubtotal(lines, discount) ?? 0
  return discount.kind === 'percent' ? portionOf(eligible, discount.value, 100) : Math.min(discount.value, eligible)
}

/** The merchant's label, or a description of the discount. */
function labelOf({ label, kind, value }: AppliedDiscount, { currency, locale }: PriceSettings): string {
  if (label) return label
  if (kind === 'shipping') return 'Free shipping'
  if (kind === 'percent') return `${value}% off`
  return `${formatMoney(money(value, currency), locale)} off`
}

/**
 * A line whose product is withdrawn stays in the cart as it was, and counts towards no total. Its price may be in the
 * currency that the shop had then.
 */
function priceLine(line: StoredLine, entry: PriceEntry | undefined, currency: string): CartLine {
  const sold = factsOfSold(entry, currency)
  const facts = sold ?? line.remembered
  const { sku, productId, price } = facts
  return {
    id: line.id,
    variantId: line.variantId,
    ...(sku === undefined ? {} : { sku }),
    ...(productId ? { productId } : {}),
    productSlug: facts.productSlug,
    title: facts.title,
    options: sold ? facts.options : inOptionOrder(facts.options, line.remembered.optionNames ?? []),
    image: facts.image,
    quantity: line.quantity,
    unitPrice: money(price.amount, price.currency),
    lineTotal: money(price.amount * line.quantity, price.currency),
    ...(sold ? {} : { available: false }),
  }
}

/** Free shipping covers the first method; a more expensive one then costs the difference. */
function shippingPrice(methods: readonly ShippingMethod[], chosen: ShippingMethod | undefined, free: boolean): number {
  const first = methods[0]?.price.amount ?? 0
  const price = chosen?.price.amount ?? first
  return free ? Math.max(0, price - first) : price
}

/** How a cart is taxed at a destination; undefined in a shop without tax rules. */
export function taxTermsOf(
  { commerce }: PriceSettings,
  destination: PricingInput['destination'],
): TaxTerms | undefined {
  const rules = commerce.tax
  if (!rules) return undefined
  const rate = taxRate(rules, destination ?? { country: defaultCountry(commerce), region: '' })
  return { rate, isIncluded: rules.pricesIncludeTax, onShipping: rules.shippingTaxed }
}

function taxOn(net: number, shipping: number, terms: TaxTerms | undefined): { tax: number; added: boolean } {
  if (!terms) return { tax: 0, added: true }
  const { rate, isIncluded, onShipping } = terms
  const base = net + (onShipping ? shipping : 0)
  if (!isIncluded) return { tax: portionOf(base, rate, 10_000), added: true }
  // The share of the tax in a price that includes it.
  return { tax: portionOf(base, rate, 10_000 + rate), added: false }
}

/** The country a cart is taxed for before the destination is known: the first one served. */
function defaultCountry(commerce: PriceSettings['commerce']): string {
  return servedCountries(commerce)[0] ?? ''
}
