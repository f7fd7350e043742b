import { minorUnitDigits } from '@storefront/contracts/currency'
import type { Money, Product, Settings, Variant } from '../../shop/catalog.ts'

/** The product after schema.org, for search engines. @param url of its page */
export function productData(product: Product, url: string, { store, features }: Settings): object {
  const { title, description, images, variants, rating, enrichment } = product
  const amounts = variants.map(({ price }) => price.amount)
  const [first] = variants
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: title,
    description: description || undefined,
    image: images.map((image) => image.url),
    sku: first?.sku || undefined,
    brand: store?.name ? { '@type': 'Brand', name: store.name } : undefined,
    manufacturer: enrichment?.maker ? { '@type': 'Organization', name: enrichment.maker.name } : undefined,
    url,
    aggregateRating:
      rating.count > 0 && features?.reviews !== false
        ? { '@type': 'AggregateRating', ratingValue: rating.average, reviewCount: rating.count }
        : undefined,
    offers: {
      '@type': 'AggregateOffer',
      priceCurrency: product.price.currency,
      lowPrice: decimal({ ...product.price, amount: Math.min(...amounts) }),
      highPrice: decimal({ ...product.price, amount: Math.max(...amounts) }),
      offerCount: variants.length,
      offers: variants.map((variant) => offerOf(variant, url)),
    },
  }
}

function offerOf({ id, sku, price, available, options }: Variant, url: string): object {
  return {
    '@type': 'Offer',
    name: Object.values(options).join(' / ') || undefined,
    sku: sku || undefined,
    url: `${url}?variant=${encodeURIComponent(id)}`,
    price: decimal(price),
    priceCurrency: price.currency,
    availability: `https://schema.org/${available ? 'InStock' : 'OutOfStock'}`,
    itemCondition: 'https://schema.org/NewCondition',
  }
}

/** As schema.org writes amounts: `92.00`. */
function decimal({ amount, currency }: Money): string {
  const digits = minorUnitDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}
