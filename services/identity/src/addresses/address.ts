import { countryCodeOf, OpaqueId, PostalAddress, type Address, type CustomerAddress } from '@storefront/contracts'
import { z } from 'zod'
import { emptyAddress, tooManyAddresses, unknownCountry } from '../errors.ts'

const MAX_ADDRESSES = 50

export const AddressParams = z.object({ id: OpaqueId.describe('Id of an address in the customer’s own address book.') })

export const NewAddress = PostalAddress.extend({
  isDefault: z
    .boolean()
    .optional()
    .describe('True makes it the default. The first address is the default in any case.'),
}).meta({ id: 'NewAddress' })

const { shape } = PostalAddress

/** The field of a change: without the default of a new address, and with the same description. */
function changeable<Field extends z.ZodType>(field: z.ZodDefault<Field>) {
  const changed = field.unwrap().exactOptional()
  return field.description === undefined ? changed : changed.describe(field.description)
}

/** Fields that are left out stay unchanged. */
export const AddressChange = z
  .object({
    name: changeable(shape.name),
    line1: changeable(shape.line1),
    line2: changeable(shape.line2),
    city: changeable(shape.city),
    region: changeable(shape.region),
    postalCode: changeable(shape.postalCode),
    country: changeable(shape.country),
    phone: changeable(shape.phone),
    isDefault: z
      .boolean()
      .exactOptional()
      .describe('True makes it the default; false changes nothing, because one address must be the default.'),
  })
  .meta({ id: 'AddressChange' })
export type AddressChange = z.output<typeof AddressChange>

/** Trims every field. @throws HttpError `missing_fields` when all are empty */
export function trimAddress(address: Address): Address {
  const tidy = {
    name: address.name.trim(),
    line1: address.line1.trim(),
    line2: address.line2.trim(),
    city: address.city.trim(),
    region: address.region.trim(),
    postalCode: address.postalCode.trim(),
    country: address.country.trim(),
    phone: address.phone.trim(),
  }
  if (Object.values(tidy).every((text) => text === '')) throw emptyAddress()
  return tidy
}

/**
 * The fields that were sent, with the country in its stored form. The country may be missing, and a value that an older
 * version stored stays until the customer changes it.
 * @throws HttpError `validation_failed` for a country that is not in ISO 3166-1
 */
export function withCountryCode<Sent extends { country?: string }>(sent: Sent): Sent {
  if (sent.country === undefined || sent.country.trim() === '') return sent
  const country = countryCodeOf(sent.country)
  if (country === undefined) throw unknownCountry(sent.country)
  return { ...sent, country }
}

/** @throws HttpError when the address book is full */
export function requireRoom(addresses: CustomerAddress[]): void {
  if (addresses.length >= MAX_ADDRESSES) throw tooManyAddresses(MAX_ADDRESSES)
}

/** The new default after the previous one was deleted: the oldest remaining address. */
export function nextDefault(addresses: CustomerAddress[], removedId: string): CustomerAddress | undefined {
  const removed = addresses.find((address) => address.id === removedId)
  return removed?.isDefault ? addresses.find((address) => address.id !== removedId) : undefined
}
