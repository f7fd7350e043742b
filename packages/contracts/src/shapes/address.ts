import { z } from 'zod'

// Described before the default, which a change of an address removes.
const addressPart = (description: string) => z.string().max(300).describe(description).default('')

/** A postal address as orders store it. The checkout decides which fields are required. */
export const Address = z
  .object({
    name: addressPart('Who receives the parcel.'),
    line1: addressPart('Street and number.'),
    line2: addressPart('A second line for the street, such as the floor; may be empty.'),
    city: addressPart('Town or city.'),
    region: addressPart('State or province; it determines the tax if the shop has a rate for it. May be empty.'),
    postalCode: addressPart('In the format of the country; not validated.'),
    country: z
      .string()
      .max(2)
      .describe('ISO 3166-1 alpha-2 code in upper case; empty when none was given.')
      .default(''),
    phone: addressPart('Telephone number for the delivery, as the customer entered it; may be empty.'),
  })
  .meta({ id: 'Address' })
export type Address = z.output<typeof Address>

/** Control characters, and those that change the text direction: labels and lists would show a different text. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Longer than any real address. Stored values may be longer, from before these limits. */
const MAX_TYPED = { name: 100, line: 200, place: 100, postalCode: 20, phone: 50 }

/** @returns the text on one line, with spaces in place of `CONTROLS`: pasted text contains tabs and line breaks */
export function singleLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ')
}

/** @returns the text with line breaks and without other control characters, and without blanks around it */
export function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .split('\n')
    .map((line) => singleLine(line).trim())
    .join('\n')
    .trim()
}

/** Control characters are replaced, so that no checkout fails on them. */
function typedLine(line: z.ZodDefault<z.ZodString>, maxLength: number) {
  return line.unwrap().max(maxLength).overwrite(singleLine).default('')
}

/**
 * An address as a client sends it. Its country is validated by the operation, with a message for the buyer; addresses
 * that were stored before are read as they are.
 */
export const PostalAddress = Address.extend({
  name: typedLine(Address.shape.name, MAX_TYPED.name),
  line1: typedLine(Address.shape.line1, MAX_TYPED.line),
  line2: typedLine(Address.shape.line2, MAX_TYPED.line),
  city: typedLine(Address.shape.city, MAX_TYPED.place),
  region: typedLine(Address.shape.region, MAX_TYPED.place),
  postalCode: typedLine(Address.shape.postalCode, MAX_TYPED.postalCode),
  phone: typedLine(Address.shape.phone, MAX_TYPED.phone),
  country: z.string().max(100).describe('ISO 3166-1 alpha-2 code such as GB, in any case.').default(''),
}).meta({ id: 'PostalAddress' })
export type PostalAddress = z.output<typeof PostalAddress>

export const CustomerAddress = Address.extend({
  id: z.string().describe('Identifies the address in `/me/addresses/{id}`.'),
  isDefault: z.boolean().describe('True for exactly one address of a customer who has addresses.'),
}).meta({ id: 'CustomerAddress' })
export type CustomerAddress = z.output<typeof CustomerAddress>

export const Customer = z
  .object({
    id: z.string().describe('Stays the same for the life of the account.'),
    email: z.string().describe('The address that the customer signs in with, in any case.'),
    firstName: z.string().describe('As the customer wrote it; may be empty.'),
    lastName: z.string().describe('May be empty, like `firstName`.'),
    phone: z.string().optional().describe('As the customer entered it; left out while there is none.'),
    emailVerified: z
      .boolean()
      .describe(
        'Whether the link in the confirmation mail was opened; only then does the account show guest orders of this address.',
      ),
    addresses: z.array(CustomerAddress).describe('The address book, in the order in which addresses were added.'),
  })
  .meta({ id: 'Customer' })
export type Customer = z.output<typeof Customer>
