import type { CartLine } from '@storefront/contracts'
import { extractText, getDocumentProxy } from 'unpdf'
import { cartLine, type Shop } from './shop.ts'

export interface Printed {
  status: number
  headers: Record<string, unknown>
  bytes: Buffer
  /** The text of each page, with single spaces. */
  pages: string[]
  /** The text of all pages. */
  text: string
}

/** Requests a document of an order, and reads the text that a person would see in it. */
export async function print(shop: Shop, path: string, headers: object = shop.suite.headers.admin()): Promise<Printed> {
  const {
    statusCode,
    headers: sent,
    rawPayload,
  } = await shop.orders.app.inject({
    url: `/admin/orders/${path}`,
    headers: { ...headers },
  })
  const pages = statusCode === 200 ? await pagesOf(rawPayload) : []
  return { status: statusCode, headers: sent, bytes: rawPayload, pages, text: pages.join(' ') }
}

async function pagesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false })
  return text.map((page) => page.replaceAll(/\s+/g, ' ').trim())
}

/** A line with a number in its title and SKU, without a picture, with what a test changes. */
export const lineWith = (place: number, changes: Partial<CartLine> = {}): CartLine =>
  cartLine({ sku: `SKU-${place}`, title: `Shirt number ${place}`, image: { url: '', alt: '' }, ...changes })
