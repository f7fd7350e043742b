import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Customer } from '@storefront/contracts'
import { lockAccount, readCustomer } from '../accounts/accounts.queries.ts'
import type { IdentityContext } from '../context.ts'
import { addressNotFound } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { AddressChange, AddressParams, trimAddress, withCountryCode } from './address.ts'
import { listAddresses, setDefaultAddress, updateAddress } from './addresses.queries.ts'

export function changeAddressRoute(app: App, { db }: IdentityContext): void {
  app.patch('/me/addresses/:id', {
    config: { access: 'customer', errors: ['missing_fields', 'not_found'] },
    schema: {
      summary: 'Change an address',
      description:
        'Fields that are left out stay unchanged. The response is the whole customer; orders keep the address that they were ' +
        'placed with.',
      params: AddressParams,
      body: AddressChange,
      response: { 200: Customer },
    },
    handler: ({ actor, params: { id }, body: { isDefault, ...change } }) =>
      transaction(db, async (tx) => {
        const customerId = customerIdOf(actor)
        await lockAccount(tx, customerId)
        const current = (await listAddresses(tx, customerId)).find((address) => address.id === id)
        if (!current) throw addressNotFound()
        await updateAddress(tx, id, trimAddress({ ...current, ...withCountryCode(change) }))
        if (isDefault === true) await setDefaultAddress(tx, customerId, id)
        return readCustomer(tx, customerId)
      }),
  })
}
