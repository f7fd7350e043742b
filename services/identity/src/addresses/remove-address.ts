import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Customer } from '@storefront/contracts'
import { lockAccount, readCustomer } from '../accounts/accounts.queries.ts'
import type { IdentityContext } from '../context.ts'
import { addressNotFound } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { AddressParams, nextDefault } from './address.ts'
import { deleteAddress, listAddresses, setDefaultAddress } from './addresses.queries.ts'

export function removeAddressRoute(app: App, { db }: IdentityContext): void {
  app.delete('/me/addresses/:id', {
    config: { access: 'customer', errors: ['not_found'] },
    schema: {
      summary: 'Remove an address',
      description:
        'When the default is removed, the oldest remaining address becomes the default. The response is the whole customer.',
      params: AddressParams,
      response: { 200: Customer },
    },
    handler: ({ actor, params: { id } }) =>
      transaction(db, async (tx) => {
        const customerId = customerIdOf(actor)
        await lockAccount(tx, customerId)
        const addresses = await listAddresses(tx, customerId)
        if (!addresses.some((address) => address.id === id)) throw addressNotFound()
        const successor = nextDefault(addresses, id)
        await deleteAddress(tx, id)
        if (successor) await setDefaultAddress(tx, customerId, successor.id)
        return readCustomer(tx, customerId)
      }),
  })
}
