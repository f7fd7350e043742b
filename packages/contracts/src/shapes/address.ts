import { z } from 'zod'

const line = z.string().max(300).default('')

/** A postal address as orders keep it. Which fields must be filled is the checkout's decision. */
export const Address = z
  .object({
    name: line,
    line1: line,
    line2: line,
    city: line,
    region: line,
    postalCode: line,
    country: z.string().max(2).default(''),
    phone: line,
  })
  .meta({ id: 'Address' })
export type Address = z.output<typeof Address>

/**
 * An address as somebody sends it. Its country is checked by the operation that takes it, with a message for the buyer; what
 * was stored before that is read as it is.
 */
export const PostalAddress = Address.extend({
  country: z.string().max(100).default('').describe('ISO 3166-1 alpha-2 code such as GB, in any case'),
}).meta({ id: 'PostalAddress' })
export type PostalAddress = z.output<typeof PostalAddress>

export const CustomerAddress = Address.extend({ id: z.string(), isDefault: z.boolean() }).meta({
  id: 'CustomerAddress',
})
export type CustomerAddress = z.output<typeof CustomerAddress>

export const Customer = z
  .object({
    id: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phone: z.string().optional(),
    emailVerified: z.boolean(),
    addresses: z.array(CustomerAddress),
  })
  .meta({ id: 'Customer' })
export type Customer = z.output<typeof Customer>

/**
 * Trimmed and bounded; deliberately simple, because only a confirmation mail proves an address. Its domain has no empty label
 * and none with a hyphen at an end; of the part before it nothing is known: some providers let it have dots anywhere.
 * Without a look behind: browsers read this too, and to older ones that would be no JavaScript.
 */
export const EMAIL_PATTERN =
  /^[^\s\u00ad\u200b\u2060@"<>(),;:\\[\]]{1,64}@(?=.{4,254}$)(?:[^\s\u00ad\u200b\u2060@."<>(),;:\\[\]-](?:[^\s\u00ad\u200b\u2060@."<>(),;:\\[\]]{0,61}[^\s\u00ad\u200b\u2060@."<>(),;:\\[\]-])?\.)+[^\s\u00ad\u200b\u2060@."<>(),;:\\[\]-][^\s\u00ad\u200b\u2060@."<>(),;:\\[\]]{0,61}[^\s\u00ad\u200b\u2060@."<>(),;:\\[\]-]$/
