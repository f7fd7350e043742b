import { createHmac, hkdfSync } from 'node:crypto'

const PURPOSE = 'storefront payment links'

/** @returns the token of a payment link: always the same for the same link of the same draft */
export type PaymentLinks = (link: { draftId: string; number: number }) => string

/**
 * Computes tokens of 256 bits, so that none has to be stored and a mail that is sent again has the same link.
 * @param secret the key that they are derived from. Links of an earlier secret keep working.
 */
export function createPaymentLinks(secret: string): PaymentLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32))
  // Its form is hidden in the access log of the gateway.
  return ({ draftId, number }) => `link_${createHmac('sha256', key).update(`${draftId}.${number}`).digest('base64url')}`
}

/** The page that a payment link opens. */
export function paymentPageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/pay/${token}`
}
