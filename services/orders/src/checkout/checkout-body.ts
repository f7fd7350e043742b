import { z } from 'zod'
import { Address, EMAIL_PATTERN } from '@storefront/contracts'
import { emailRequired, incompleteAddress, invalidEmail } from '../errors.ts'

export const CheckoutBody = z.object({
  email: z.string().max(320).optional(),
  shipping_address: Address.optional(),
  shipping_method: z.string().max(100).optional(),
  currency: z.string().max(3).optional(),
  success_url: z.string().max(2000).optional(),
  cancel_url: z.string().max(2000).optional(),
})

export interface CheckoutDetails {
  email: string
  address: Address
  shippingMethod: string
}

const REQUIRED = ['name', 'line1', 'city', 'postalCode', 'country'] as const

/**
 * What a checkout must know of its buyer.
 * @throws Refusal `email_required`, `invalid_email` or `missing_fields`
 */
export function detailsOf(body: z.output<typeof CheckoutBody> | null | undefined): CheckoutDetails {
  const email = body?.email?.trim() ?? ''
  if (email === '') throw emailRequired()
  if (!EMAIL_PATTERN.test(email)) throw invalidEmail()
  const address = Address.parse(body?.shipping_address ?? {})
  const missing = REQUIRED.filter((field) => address[field].trim() === '')
  if (missing.length > 0) throw incompleteAddress(missing.map((field) => `shipping_address.${field}`))
  return {
    email,
    address: { ...address, country: address.country.trim().toUpperCase() },
    shippingMethod: body?.shipping_method?.trim() ?? '',
  }
}
