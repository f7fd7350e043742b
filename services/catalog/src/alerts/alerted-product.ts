import { inOptionOrder, type AlertedProduct } from '@storefront/contracts'
import { namesOf } from '../products/product-options.ts'
import { imagesOf, shownImageId } from '../products/product-response.ts'
import type { AlertedVariant, PublishedProduct } from './alerted-product.queries.ts'

/** What a mail shows of a product, or of one of its variants. */
export function alertedProduct(
  { slug, title, priceMinor, currency, document }: PublishedProduct,
  variant: AlertedVariant | undefined,
  publicUrl: string,
): AlertedProduct {
  const images = imagesOf(document.images, title, publicUrl)
  const shownId = shownImageId(images, variant?.imageId)
  const { url = '', alt = title } = images.find(({ id }) => id === shownId) ?? images[0] ?? {}
  return {
    slug,
    title,
    options: variant ? inOptionOrder(variant.options, namesOf(document.options)) : {},
    image: { url, alt },
    price: { amount: variant?.priceMinor ?? priceMinor, currency },
  }
}
