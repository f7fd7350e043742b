import { countryCodeOf, PostalAddress, type Address, type CustomerAddress } from '@storefront/contracts'
import { z } from 'zod'
import { emptyAddress, tooManyAddresses, unknownCountry } from '../errors.ts'

export const MAX_ADDRESSES = 50

/** `isDefault: true` makes it the default; false leaves the choice as it is, because one must be the default. */
export const NewAddress = PostalAddress.extend({ isDefault: z.boolean().optional() }).meta({ id: 'NewAddress' })

const { shape } = PostalAddress
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

/** Trimmed. @throws Refusal `missing_fields` when nothing is left */
export function tidyAddress(address: Address): Address {
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
 * What was sent of an address, its country as it is stored. An address book may hold an address without one, and what an older
 * version stored stays until the customer changes it.
 * @throws Refusal `validation_failed` for a country that is not in ISO 3166-1
 */
export function withCountryCode<Sent extends { country?: string }>(sent: Sent): Sent {
  if (sent.country === undefined || sent.country.trim() === '') return sent
  const country = countryCodeOf(sent.country)
  if (country === undefined) throw unknownCountry(sent.country)
  return { ...sent, country }
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
