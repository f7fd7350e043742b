import { usePage, type PageContext } from '../../layout/page-context.ts'
import { Breadcrumbs, breadcrumbData, type Crumb } from '../../parts/breadcrumbs.tsx'
import { SaveButton } from '../../parts/save-button.tsx'
import { Stars } from '../../parts/stars.tsx'
import { cachedPage, type CachedRequest, type Redirect } from '../../server/cached-page.ts'
import { notFound } from '../../server/error-page.tsx'
import type { PageView } from '../../server/render-document.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Product, ReviewList, Vocabulary } from '../../shop/catalog.ts'
import { categoryPath } from '../../shop/frame.ts'
import { Alerts } from './alert-forms.tsx'
import { alertPage } from './alert-page.tsx'
import { Assurances } from './assurances.tsx'
import { BuyBar, BuyForm, ChosenPrice } from './buy-form.tsx'
import { Delivery, deliveryPage } from './delivery.tsx'
import { Facts, Highlights } from './facts.tsx'
import { Fit } from './fit.tsx'
import { firstPictureOf, Gallery, Viewer } from './gallery.tsx'
import { productData } from './product-data.ts'
import { productAddress, productView, type ProductView } from './product-view.ts'
import { ProductRow, RecentlyViewed, recentlyViewedPage } from './recently-viewed.tsx'
import { reviewPages } from './review-pages.tsx'
import { Reviews } from './reviews.tsx'
import { SizeChart } from './size-chart.tsx'
import { SocialProof } from './social-proof.tsx'

const MAX_DESCRIPTION = 160
const MAX_REVIEW_PAGE = 1000
const NO_SLUG = /\p{Cc}/u

export function productPages(app: App, storefront: Storefront): void {
  cachedPage(app, storefront, { route: '/product/:slug', query: ['variant', 'reviews'], view })
  deliveryPage(app, storefront)
  recentlyViewedPage(app, storefront)
  reviewPages(app, storefront)
  alertPage(app, storefront)
}

async function view({ params, query, context, catalog }: CachedRequest): Promise<PageView | Redirect> {
  const slug = params['slug'] ?? ''
  const product = NO_SLUG.test(slug) ? undefined : await catalog.product(slug)
  if (!product) return notFound(context)
  if (product.slug !== slug) return { redirect: productAddress(product.slug) }
  const hasReviews = context.frame.settings.features?.reviews !== false
  const [vocabulary, related, reviews] = await Promise.all([
    catalog.vocabulary(),
    catalog.related(slug),
    hasReviews ? catalog.reviews(slug, pageNumber(query.get('reviews'))) : undefined,
  ])
  const view = productView(product, query.get('variant'))
  const crumbs = crumbsOf(product, context)
  return {
    head: headOf(view, crumbs, context),
    body: <ProductBody {...{ view, crumbs, vocabulary, related, reviews }} />,
  }
}

function pageNumber(text: string | null): number {
  const page = /^\d{1,4}$/.test(text ?? '') ? Number(text) : 1
  return Math.min(MAX_REVIEW_PAGE, Math.max(1, page))
}

function crumbsOf({ title, slug, categories }: Product, { frame, language }: PageContext): Crumb[] {
  const path = categoryPath(frame.categories, categories[0] ?? '')
  return [
    { label: language.t('common.home'), to: '/' },
    ...path.map((category) => ({ label: category.name, to: `/shop/${encodeURIComponent(category.slug)}` })),
    { label: title, to: `/product/${encodeURIComponent(slug)}` },
  ]
}

function headOf(view: ProductView, crumbs: readonly Crumb[], { storefrontUrl, frame }: PageContext): PageView['head'] {
  const { product, address, images } = view
  const [image] = images
  return {
    title: product.title,
    description: shortened(product.description || product.subtitle) || undefined,
    canonical: address,
    image: image && { url: image.url, alt: image.alt },
    data: [productData(product, `${storefrontUrl}${address}`, frame.settings), breadcrumbData(crumbs, storefrontUrl)],
    firstPicture: firstPictureOf(view),
    style: 'product',
    script: 'product',
  }
}

/** Whole words only. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= MAX_DESCRIPTION) return line
  return `${line.slice(0, MAX_DESCRIPTION).replace(/\s\S*$/, '')}…`
}

interface ProductBodyProps {
  view: ProductView
  crumbs: readonly Crumb[]
  vocabulary: Vocabulary
  related: readonly Product[]
  reviews: ReviewList | undefined
}

function ProductBody({ view, crumbs, vocabulary, related, reviews }: ProductBodyProps) {
  const { frame, language } = usePage()
  const { product } = view
  const title = frame.settings.recommendations?.title || language.t('product.related')
  return (
    <>
      <div class="page product-page">
        <Breadcrumbs crumbs={crumbs} />
        <div class="product-main">
          <Gallery view={view} />
          <BuyColumn view={view} vocabulary={vocabulary} />
        </div>
        <Facts product={product} vocabulary={vocabulary} />
      </div>
      {reviews && <Reviews view={view} reviews={reviews} />}
      <ProductRow id="related" title={title} products={related} />
      <RecentlyViewed slug={product.slug} />
      <BuyBar view={view} />
      <Viewer title={product.title} />
      {product.sizeChart && <SizeChart chart={product.sizeChart} />}
    </>
  )
}

function BuyColumn({ view, vocabulary }: { view: ProductView; vocabulary: Vocabulary }) {
  const { frame } = usePage()
  const { product } = view
  const { title, subtitle, description, rating, slug } = product
  return (
    <div class="product-buy">
      <div class="product-title">
        <h1>{title}</h1>
        <SaveButton slug={slug} title={title} />
      </div>
      {subtitle !== '' && <p class="product-subtitle">{subtitle}</p>}
      {rating.count > 0 && frame.settings.features?.reviews !== false && (
        <a class="product-rating" href="#reviews">
          <Stars average={rating.average} count={rating.count} />
        </a>
      )}
      <ChosenPrice view={view} />
      <SocialProof product={product} />
      <Highlights product={product} vocabulary={vocabulary} />
      <BuyForm view={view} />
      <Alerts view={view} />
      <Delivery />
      <Assurances product={product} />
      {description !== '' && <p class="product-description">{description}</p>}
      <Fit product={product} />
    </div>
  )
}
