import { StorefrontError, type StorefrontClient } from '@storefront/client'
import type { LiveRequest } from '../../server/live-page.tsx'
import { found } from '../../shop/catalog.ts'
import { readSavedList } from '../wishlist/saved-list.ts'

/** Has the browser delete its own wishlist, which is now in the account. */
const WISHLIST_HEADER = 'x-wishlist'

/** Keeps the new session, and takes the bag and the wishlist of this browser into the account. */
export async function openSession(request: LiveRequest, token: string): Promise<void> {
  request.setSession(token)
  const shop = request.shopOf(token)
  await Promise.all([takeBag(request, shop), takeWishlist(request, shop)])
}

/**
 * The shop merges a guest's cart into that of the customer when it is first read. Without one, the customer's cart of
 * another device is the bag.
 */
async function takeBag({ bagId, setBag, showCount }: LiveRequest, shop: StorefrontClient): Promise<void> {
  await ignoreErrors(async () => {
    const guest = bagId && (await found(shop.get('/carts/{id}', { params: { path: { id: bagId } } })))
    const cart = guest || (await shop.post('/carts'))
    setBag(cart.id)
    showCount(cart.lines)
  })
}

async function takeWishlist({ form, setResponseHeader }: LiveRequest, shop: StorefrontClient): Promise<void> {
  const slugs = readSavedList(form.get('saved'))
  if (slugs.length === 0) return
  const isTaken = await ignoreErrors(async () => {
    // Newest last, because the wishlist puts what was saved last first.
    for (const slug of slugs.toReversed()) {
      // A product that is no longer sold has no place in any wishlist.
      await found(shop.post('/me/wishlist', { body: { product_slug: slug } }))
    }
  })
  if (isTaken) setResponseHeader(WISHLIST_HEADER, '')
}

/** The customer is signed in even if this fails: the browser then keeps its bag or its wishlist. */
async function ignoreErrors(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof StorefrontError) return false
    throw error
  }
}
