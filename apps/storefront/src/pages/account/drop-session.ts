import { StorefrontError } from '@storefront/client'
import type { LiveRequest } from '../../server/live-page.tsx'
import { found } from '../../shop/catalog.ts'

/**
 * Has the browser delete a session that has ended, and the bag of its account, which the next sign-in restores. A bag
 * that a guest may read stays: it was filled after the session had ended.
 */
export async function dropSession({ bagId, guest, setSession, setBag }: LiveRequest): Promise<void> {
  setSession(undefined)
  if (bagId === undefined) return
  try {
    if (await found(guest.get('/carts/{id}', { params: { path: { id: bagId } } }))) return
  } catch (error) {
    // Whose bag it is cannot be known now.
    if (error instanceof StorefrontError) return
    throw error
  }
  setBag(undefined)
}
