import { readAmount, readCount } from '../../../../parts/amounts.ts'
import { pictureAddress } from '../../../../parts/picture.tsx'
import type { ImageRow, ProductForm } from '../product-form.ts'

/** The shop adds the badge "sale" from this discount on. */
export const SALE_PERCENT = 5

/** What a shopper would read of a form; amounts in the smallest unit, undefined while they cannot be read. */
export interface PreviewFacts {
  price: number | undefined
  /** Shown struck through; undefined without a sale. */
  former: number | undefined
  isFrom: boolean
  badges: ('new' | 'sale' | 'bestseller' | 'sold-out')[]
}

/** A form with what a shopper would read of it. */
export interface PreviewProps {
  form: ProductForm
  facts: PreviewFacts
  currency: string
}

/** @param currency of all amounts of the form */
export function previewFacts(form: ProductForm, currency: string): PreviewFacts {
  const amounts = form.variants
    .map((row) => readAmount(row.price, currency) ?? readAmount(form.price, currency))
    .filter((amount) => amount !== undefined)
  const price = amounts.length === 0 ? readAmount(form.price, currency) : Math.min(...amounts)
  const former = readAmount(form.compareAtPrice, currency)
  const isFormer = former !== undefined && price !== undefined && former > price
  const isSale = isFormer && (former - price) * 100 >= SALE_PERCENT * former
  const isSoldOut = form.variants.every(({ stock }) => (readCount(stock) ?? 0) === 0)
  return {
    price,
    former: isFormer ? former : undefined,
    isFrom: new Set(amounts).size > 1,
    badges: [
      ...(isSale ? (['sale'] as const) : []),
      ...form.pinnedBadges,
      ...(isSoldOut ? (['sold-out'] as const) : []),
    ],
  }
}

/** Where a picture of the form can be seen; one that is being uploaded is shown from the device. */
export function pictureUrl({ url, upload }: ImageRow): string {
  if (url === '') return upload?.preview ?? ''
  return pictureAddress(url)
}
