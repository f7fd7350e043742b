import { createHmac, hkdfSync } from 'node:crypto'

const PURPOSE = 'storefront order links'

/** @returns the capability in the links of mails about an order: always the same for the same order */
export type OrderLinks = (orderId: string) => string

/**
 * Computes capabilities, so that none has to be stored.
 * @param secret the key that they are derived from. A new secret gives new capabilities, and those already given out
 * keep working.
 */
export function createOrderLinks(secret: string): OrderLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32))
  return (orderId) => createHmac('sha256', key).update(orderId).digest('base64url')
}
