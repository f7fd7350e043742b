import { Address, type CustomerAddress } from '@storefront/contracts'
import { z } from 'zod'
import { emptyAddress, tooManyAddresses } from '../errors.ts'

export const MAX_ADDRESSES = 50

/** `isDefault: true` makes it the default; false leaves the choice as it is, because one must be the default. */
export const NewAddress = Address.extend({ isDefault: z.boolean().optional() }).meta({ id: 'NewAddress' })

const { shape } = Address
/** Without the defaults of a new address: what is left out stays as it is. */
export const AddressChange = z
  .object({
    name: shape.name.unwrap().exactOptional(),
    line1: shape.line1.unwrap().exactOptional(),
    line2: shape.line2.unwrap().exactOptional(),
    city: shape.city.unwrap().exactOptional(),
    region: shape.region.unwrap().exactOptional(),
    postalCode: shape.postalCode.unwrap().exactOptional(),
    country: shape.country.unwrap().exactOptional(),
    phone: shape.phone.unwrap().exactOptional(),
    isDefault: z.boolean().exactOptional(),
  })
  .meta({ id: 'AddressChange' })
export type AddressChange = z.output<typeof AddressChange>

/** Trimmed, the country in capitals. @throws Refusal `missing_fields` when nothing is left */
export function tidyAddress(address: Address): Address {
  const tidy = {
    name: address.name.trim(),
    line1: address.line1.trim(),
    line2: address.line2.trim(),
    city: address.city.trim(),
    region: address.region.trim(),
    postalCode: address.postalCode.trim(),
    country: tidyCountry(address.country.trim()),
    phone: address.phone.trim(),
  }
  if (Object.values(tidy).every((text) => text === '')) throw emptyAddress()
  return tidy
}

/** Only plain letters: capitals of others can be longer than the two characters a country code has. */
function tidyCountry(country: string): string {
  return /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : country
}

/** @throws Refusal when the address book is full */
export function requireRoom(addresses: CustomerAddress[]): void {
  if (addresses.length >= MAX_ADDRESSES) throw tooManyAddresses(MAX_ADDRESSES)
}

/** Which address should be the default after the one that was is gone: the oldest that is left. */
export function nextDefault(addresses: CustomerAddress[], removedId: string): CustomerAddress | undefined {
  const removed = addresses.find((address) => address.id === removedId)
  return removed?.isDefault ? addresses.find((address) => address.id !== removedId) : undefined
}
