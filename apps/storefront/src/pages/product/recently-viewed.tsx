import { usePage } from '../../layout/page-context.ts'
import { ProductCard } from '../../parts/product-card.tsx'
import { livePage } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Product } from '../../shop/catalog.ts'

const MAX_VIEWED = 8
const MAX_SLUG = 200

/** The products that this browser has shown before, which only its storage knows. */
export function recentlyViewedPage(app: App, storefront: Storefront): void {
  livePage(app, storefront, {
    route: '/recently-viewed',
    async view({ query, catalog, hasScript, context }) {
      if (!hasScript) return { redirect: '/shop' }
      const slugs = (query.get('slugs') ?? '').split(',').filter((slug) => slug !== '' && slug.length <= MAX_SLUG)
      const isOff = context.frame.settings.features?.recentlyViewed === false
      if (slugs.length === 0 || isOff) return { fragment: null }
      const shown = slugs.slice(0, MAX_VIEWED)
      const { items } = await catalog.products({ slugs: shown.join(','), per_page: MAX_VIEWED })
      return { fragment: <ProductRow id="recent" title={context.language.t('product.recent')} products={items} /> }
    },
  })
}

/** Stands where a script puts them. */
export function RecentlyViewed({ slug }: { slug: string }) {
  const { frame } = usePage()
  if (frame.settings.features?.recentlyViewed === false) return null
  return (
    <form hx-get="/recently-viewed" hx-trigger="load-recent" hx-target="this" hx-swap="outerHTML" data-recent={slug}>
      <input type="hidden" name="slugs" value="" />
    </form>
  )
}

export function ProductRow({ id, title, products }: { id: string; title: string; products: readonly Product[] }) {
  if (products.length === 0) return null
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
      </div>
      <ul class="rail" tabindex={0} aria-labelledby={id}>
        {products.map((product) => (
          <li>
            <ProductCard product={product} />
          </li>
        ))}
      </ul>
    </section>
  )
}
