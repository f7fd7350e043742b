import { useLanguage } from '../../layout/page-context.ts'
import { ButtonLink } from '../../parts/button-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProductGrid } from '../../parts/product-card.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import { found, type Product } from '../../shop/catalog.ts'
import { MAX_SAVED, readSavedList } from './saved-list.ts'
import { savedByCustomer, savedItems } from './saved-items.tsx'

export function wishlistPages(app: App, storefront: Storefront): void {
  livePage(app, storefront, { route: '/wishlist', view: wishlistPage })
  livePage(app, storefront, { method: 'POST', route: '/wishlist/contents', view: wishlistContents })
  savedItems(app, storefront)
}

async function wishlistPage(request: LiveRequest): Promise<LiveResult> {
  const title = request.context.language.t('wishlist.title')
  const products = request.token === undefined ? undefined : await savedByCustomer(request)
  return {
    head: { title, isPrivate: true, style: 'account' },
    body: (
      <section class="page">
        <h1>{title}</h1>
        {products ? <Wishlist products={products} isGuest={false} /> : <Shell />}
      </section>
    ),
  }
}

/** A script sends the list of this browser, and gets the products. */
function Shell() {
  const { t } = useLanguage()
  return (
    <form hx-post="/wishlist/contents" hx-trigger="load" hx-swap="outerHTML">
      <input type="hidden" name="saved" data-saved-list />
      <Loading />
      <noscript>
        <p>{t('wishlist.needsAccount')}</p>
        <ButtonLink to="/account?next=/wishlist">{t('wishlist.signIn')}</ButtonLink>
      </noscript>
    </form>
  )
}

async function wishlistContents(request: LiveRequest): Promise<LiveResult> {
  if (!request.hasScript) return { redirect: '/wishlist' }
  const own = request.token === undefined ? undefined : await savedByCustomer(request)
  const products = own ?? (await savedByGuest(request))
  return { fragment: <Wishlist products={products} isGuest={own === undefined} /> }
}

async function savedByGuest({ shop, form }: LiveRequest): Promise<Product[]> {
  const slugs = readSavedList(form.get('saved'))
  if (slugs.length === 0) return []
  const query = { slugs: slugs.join(','), per_page: MAX_SAVED }
  const list = await found(shop.get('/products', { params: { query } }))
  return list?.items ?? []
}

function Wishlist({ products, isGuest }: { products: readonly Product[]; isGuest: boolean }) {
  const { t } = useLanguage()
  return (
    <div class="wishlist">
      {products.length === 0 ? (
        <>
          <p>{t('wishlist.empty')}</p>
          <ButtonLink to="/shop">{t('common.toShop')}</ButtonLink>
        </>
      ) : (
        <ProductGrid products={products} areSaved />
      )}
      {isGuest && (
        <p class="hint">
          {t('wishlist.guest')} <a href="/account?next=/wishlist">{t('wishlist.signIn')}</a>
        </p>
      )}
    </div>
  )
}
