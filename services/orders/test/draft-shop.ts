import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DraftOrder } from '@storefront/contracts'
import { BUYER, type Shop, type TestResponse } from './shop.ts'

export const DRAFT = {
  email: BUYER.email,
  shippingAddress: BUYER.shipping_address,
  shippingMethod: 'standard',
  lines: [{ variantId: 'var_m', quantity: 2 }],
}

const Sent = DraftOrder.extend({ url: z.string() })

export function draftOf({ status, body }: TestResponse): DraftOrder {
  if (status !== 200) throw new Error(`the status is ${status}: ${JSON.stringify(body)}`)
  return DraftOrder.parse(body)
}

export interface Page {
  status: number
  headers: Record<string, unknown>
  text: string
  location: string | undefined
}

/** What merchants and buyers do with draft orders. */
export function draftShop(shop: Shop, admin: object) {
  const create = async (more: object = {}) =>
    draftOf(await shop.call('POST', '/admin/draft-orders', { ...DRAFT, ...more }, admin))

  /** @returns the draft and the path of its payment page */
  async function send(id: string, body: object = { mail: false }) {
    const response = await shop.call('POST', `/admin/draft-orders/${id}/send`, body, admin)
    const draft = Sent.parse(draftOf(response) && response.body)
    return { draft, path: new URL(draft.url).pathname }
  }

  async function open(path: string): Promise<Page> {
    const { statusCode: status, headers, body: text } = await shop.orders.app.inject({ method: 'GET', url: path })
    return { status, headers, text, location: undefined }
  }

  /** Presses the button of the page, with the total that it shows. */
  async function pay(path: string, total?: string): Promise<Page> {
    const shown = total ?? / name="total" value="([^"]+)"/.exec((await open(path)).text)?.[1] ?? ''
    const response = await shop.orders.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ total: shown }).toString(),
    })
    const { statusCode: status, headers, body: text } = response
    return { status, headers, text, location: headers.location?.toString() }
  }

  const read = async (id: string) => draftOf(await shop.call('GET', `/admin/draft-orders/${id}`, undefined, admin))

  return {
    create,
    send,
    open,
    pay,
    read,
    /** A draft that was sent. */
    async sent(more: object = {}) {
      return send((await create(more)).id)
    },
    ordersOf: (id: string) =>
      shop.suite.sql<{ id: string; number: string }>('select id, number from orders.orders where cart_id = $1', [id]),
    hashOf: (path: string) =>
      createHash('sha256')
        .update(path.split('/').at(-1) ?? '')
        .digest(),
  }
}
