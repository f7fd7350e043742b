import {
  portionOf,
  ProductPatch,
  sameMoney,
  type BulkEditChange,
  type Money,
  type PriceChange,
} from '@storefront/contracts'
import { patchOf, type Edit, type EditableProduct, type EditableVariant } from './edited-fields.ts'

export function editedProduct(product: EditableProduct, change: BulkEditChange): EditableProduct {
  if (change.kind === 'price') return repriced(product, change)
  if (change.kind === 'end-sale') return withoutSale(product)
  if (change.kind === 'published') return { ...product, published: change.published }
  if (change.kind === 'tags') return { ...product, tags: listAfter(product.tags, change) }
  return { ...product, categories: listAfter(product.categories, change).toSorted() }
}

function listAfter(before: readonly string[], { add, remove }: { add: readonly string[]; remove: readonly string[] }) {
  const gone = new Set(remove)
  return [...new Set([...before.filter((each) => !gone.has(each)), ...add])]
}

function repriced(product: EditableProduct, change: PriceChange): EditableProduct {
  const { price, variants } = product
  if (!price) return product
  return {
    ...product,
    price: changedPrice(price, change),
    compareAtPrice: compareAtAfter(product.compareAtPrice, price, change),
    variants: variants.map((variant) => repricedVariant(variant, price, change)),
  }
}

/** A variant without its own prices has those of its product. */
function repricedVariant(variant: EditableVariant, productPrice: Money, change: PriceChange): EditableVariant {
  const { price, compareAtPrice } = variant
  if (!price && !compareAtPrice) return variant
  return {
    ...variant,
    ...(price && { price: changedPrice(price, change) }),
    compareAtPrice: compareAtAfter(compareAtPrice ?? null, price ?? productPrice, change),
  }
}

function changedPrice({ amount, currency }: Money, { percent, endsIn }: PriceChange): Money {
  // Percents have two decimals at most.
  const exact = portionOf(amount, Math.round((100 + percent) * 100), 10_000)
  if (endsIn === undefined) return { amount: exact, currency }
  const hundreds = Math.max(0, Math.floor((exact - endsIn + 50) / 100))
  return { amount: hundreds * 100 + endsIn, currency }
}

/** A product that is already on sale keeps its regular price, which the end of the sale must restore. */
function compareAtAfter(before: Money | null, price: Money, change: PriceChange): Money | null {
  const isPutOnSale = change.keepAsCompareAt && changedPrice(price, change).amount < price.amount
  return isPutOnSale && !isAbove(before, price) ? price : before
}

function withoutSale(product: EditableProduct): EditableProduct {
  const { price, compareAtPrice, variants } = product
  if (!price) return product
  const isOnSale = isAbove(compareAtPrice, price)
  const regular = isOnSale ? compareAtPrice : price
  return {
    ...product,
    price: regular,
    compareAtPrice: isOnSale ? null : compareAtPrice,
    variants: variants.map((variant) => {
      const own = variant.compareAtPrice ?? null
      if (!isAbove(own, variant.price ?? price)) return variant
      // A variant without its own price gets that of the product again, unless its regular price differs.
      const follows = !variant.price && sameMoney(own, regular)
      return { ...variant, price: follows ? null : own, compareAtPrice: null }
    }),
  }
}

function isAbove(compareAtPrice: Money | null, price: Money): compareAtPrice is Money {
  return compareAtPrice !== null && compareAtPrice.amount > price.amount
}

/**
 * Why a product cannot be changed: a price would become 0, or the change of this product alone would be rejected.
 * @returns a sentence, or undefined when the product can be changed
 */
export function faultOf(product: EditableProduct, { before, after }: Edit): string | undefined {
  const isFree = (price: Money | null | undefined) => price?.amount === 0
  const becomesFree =
    (isFree(after.price) && !isFree(before.price)) ||
    after.variants?.some(({ price }, index) => isFree(price) && !isFree(before.variants?.[index]?.price))
  if (becomesFree === true) return 'A price would become 0.'
  const [issue] = ProductPatch.safeParse(patchOf(product, after)).error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}
