import { StorefrontError } from '@storefront/client'
import type { LiveRequest } from '../../server/live-page.tsx'
import type { Customer } from '../../shop/catalog.ts'

/** Reads the signed-in customer. @returns undefined for a guest, and when the session has ended */
export async function customerOf({ shop, token }: LiveRequest): Promise<Customer | undefined> {
  if (token === undefined) return undefined
  try {
    return await shop.get('/me')
  } catch (error) {
    if (error instanceof StorefrontError && error.status === 401) return undefined
    throw error
  }
}
