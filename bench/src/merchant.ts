import { z } from 'zod'
import type { RunningShop } from '@storefront/tools/launch'

const Token = z.object({ token: z.string() })

/** Somebody with the admin's rights, who writes the catalogue. */
export interface Merchant {
  /** Imports over POST /admin/import; throws with the shop's answer when it refuses. */
  importCatalogue(body: { mode: 'merge' | 'replace'; [part: string]: unknown }): Promise<void>
}

export async function signInMerchant(shop: RunningShop): Promise<Merchant> {
  const { token } = Token.parse(
    await post(`${shop.url}/admin/auth/login`, { email: shop.adminEmail, password: shop.adminPassword }),
  )
  return {
    async importCatalogue(body) {
      await post(`${shop.url}/admin/import`, body, token)
    },
  }
}

async function post(url: string, body: unknown, token?: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
