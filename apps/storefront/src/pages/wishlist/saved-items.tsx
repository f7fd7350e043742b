import { StorefrontError } from '@storefront/client'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import { ownPath } from '../../server/own-path.ts'
import type { App, Storefront } from '../../server/storefront.ts'
import { found, type Product } from '../../shop/catalog.ts'
import { dropSession } from '../account/drop-session.ts'

/** What the heart of a product does for a customer; the script keeps the list of a guest. */
export function savedItems(app: App, storefront: Storefront): void {
  livePage(app, storefront, { method: 'POST', route: '/wishlist/items', view: saveItem })
  livePage(app, storefront, { route: '/wishlist/items', view: listSlugs })
}

async function saveItem(request: LiveRequest): Promise<LiveResult> {
  const { shop, form, token, hasScript } = request
  const slug = form.get('slug') ?? ''
  if (slug === '') return { redirect: '/wishlist' }
  if (token === undefined) return needsSignIn(request, slug)
  try {
    if (form.get('saved') === '1') await found(shop.post('/me/wishlist', { body: { product_slug: slug } }))
    else await shop.delete('/me/wishlist/{slug}', { params: { path: { slug } } })
  } catch (error) {
    if (!(error instanceof StorefrontError) || error.code !== 'unauthenticated') throw error
    await dropSession(request)
    return needsSignIn(request, slug)
  }
  // The script has the button show it, which keeps the focus.
  return hasScript ? { fragment: null, status: 204 } : { redirect: backTo(request) }
}

function needsSignIn(request: LiveRequest, slug: string): LiveResult {
  const { context, hasScript, moveTo } = request
  const { t } = context.language
  const next = encodeURIComponent(`/product/${encodeURIComponent(slug)}`)
  const body = (
    <p class="notice">
      {t('wishlist.needsAccount')} <a href={`/account?next=${next}`}>{t('wishlist.signIn')}</a>
    </p>
  )
  if (hasScript) {
    moveTo('#notice')
    return { fragment: body, status: 401 }
  }
  return {
    status: 401,
    head: { title: t('wishlist.title'), isPrivate: true },
    body: <section class="message-page">{body}</section>,
  }
}

/** The page with the button. */
function backTo({ referrer, context }: LiveRequest): string {
  if (referrer === undefined || !referrer.startsWith(`${context.storefrontUrl}/`)) return '/wishlist'
  return ownPath(referrer.slice(context.storefrontUrl.length)) ?? '/wishlist'
}

/** The slugs that a customer has saved, for the hearts on a page that all shoppers share. */
async function listSlugs(request: LiveRequest): Promise<LiveResult> {
  if (request.token === undefined || !request.hasScript) return { redirect: '/wishlist' }
  const products = (await savedByCustomer(request)) ?? []
  return { fragment: products.map(({ slug }) => slug).join(',') }
}

/** @returns undefined when the session has ended */
export async function savedByCustomer(request: LiveRequest): Promise<Product[] | undefined> {
  try {
    return (await request.shop.get('/me/wishlist')).items
  } catch (error) {
    if (!(error instanceof StorefrontError) || error.code !== 'unauthenticated') throw error
    await dropSession(request)
    return undefined
  }
}
