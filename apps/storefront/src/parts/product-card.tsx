import { useLanguage } from '../layout/page-context.ts'
import type { Product } from '../shop/catalog.ts'
import { lowestPrice } from './lowest-price.ts'
import { Picture } from './picture.tsx'
import { Price } from './price.tsx'
import { SaveButton } from './save-button.tsx'
import { Stars } from './stars.tsx'

/** How wide the picture of a card is, as in the attribute `sizes`. */
export const CARD_SIZES = '(min-width: 64rem) 22rem, (min-width: 40rem) 33vw, 50vw'
/** More swatches than these would not fit below a picture on a phone. */
const MAX_SWATCHES = 5

interface ProductCardProps {
  product: Product
  isFirst?: boolean
  /** Whether it is known to be on the shopper's wishlist. */
  isSaved?: boolean
}

export function ProductCard({ product, isFirst = false, isSaved = false }: ProductCardProps) {
  const { t } = useLanguage()
  const { slug, title, subtitle, images, badges, rating } = product
  const [front, back] = images
  const [badge] = badges
  return (
    <article class="card">
      <a class="card-link" href={`/product/${encodeURIComponent(slug)}`}>
        <div class="card-pictures">
          {front && <Picture picture={front} sizes={CARD_SIZES} isFirst={isFirst} />}
          {back && <Picture picture={{ ...back, alt: '' }} sizes={CARD_SIZES} class="card-second" />}
          {badge && <span class={`badge badge-${badge}`}>{t(`common.badge.${badge}`)}</span>}
        </div>
        <h3 class="card-title">{title}</h3>
      </a>
      <SaveButton slug={slug} title={title} isSaved={isSaved} />
      {subtitle !== '' && <p class="card-subtitle">{subtitle}</p>}
      <Price {...lowestPrice(product)} />
      <Swatches product={product} />
      {rating.count > 0 && <Stars average={rating.average} count={rating.count} />}
    </article>
  )
}

function Swatches({ product }: { product: Product }) {
  const colors = Object.entries(product.swatches)
  if (colors.length < 2) return null
  return (
    <ul class="swatches">
      {colors.slice(0, MAX_SWATCHES).map(([name, hex]) => (
        <li>
          <Swatch hex={hex} />
          <span class="visually-hidden">{name}</span>
        </li>
      ))}
      {colors.length > MAX_SWATCHES && <li>+{colors.length - MAX_SWATCHES}</li>}
    </ul>
  )
}

export function Swatch({ hex }: { hex: string }) {
  return (
    <svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle cx="8" cy="8" r="7.5" fill={hex} />
    </svg>
  )
}

interface ProductGridProps {
  products: readonly Product[]
  /** Whether it is the shopper's wishlist. */
  areSaved?: boolean
}

/** Products in rows. */
export function ProductGrid({ products, areSaved = false }: ProductGridProps) {
  return (
    <ul class="grid">
      {products.map((product) => (
        <li>
          <ProductCard product={product} isSaved={areSaved} />
        </li>
      ))}
    </ul>
  )
}
