import type { ProductDocument } from './product.ts'

/** The columns of a stored product that a merchant writes, as its statements return them. */
export interface ProductFields {
  id: string
  slug: string
  title: string
  published: boolean
  document: ProductDocument
  priceMinor: number
  compareAtMinor: number | null
  currency: string
  tags: string[]
  position: number | null
  createdAt: Date
  /** When it is published automatically; null for never. */
  publishAt: Date | null
  /** When it is hidden automatically; null for never. */
  unpublishAt: Date | null
}
