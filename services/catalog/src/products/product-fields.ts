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

/** The same for one of its variants. */
export interface VariantFields {
  id: string
  sku: string
  options: Record<string, string>
  /** The variant's own prices; null if it has those of the product. */
  priceMinor: number | null
  compareAtMinor: number | null
  imageId: string | null
}
