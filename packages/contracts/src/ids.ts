import { randomUUID } from 'node:crypto'
import { z } from 'zod'

export const ID_PREFIXES = {
  product: 'prod',
  variant: 'var',
  image: 'img',
  cart: 'cart',
  line: 'line',
  order: 'order',
  customer: 'cus',
  address: 'addr',
  session: 'sess',
  adminUser: 'user',
  review: 'rev',
  refund: 'refund',
  payment: 'pay',
  reservation: 'res',
  event: 'evt',
  delivery: 'dlv',
  endpoint: 'whe',
  mail: 'mail',
  request: 'req',
  libraryItem: 'lib',
} as const
export type IdKind = keyof typeof ID_PREFIXES

/**
 * Makes a new opaque id such as `cart_9f8b…`.
 * @returns the kind's prefix and 122 random bits, because the id of a cart or an order is a capability
 */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${randomUUID().replaceAll('-', '')}`
}

/** An id as it comes from outside: opaque, bounded, and free of anything a log or a query could choke on. */
export const OpaqueId = z.string().min(1).max(200)
