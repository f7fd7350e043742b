import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Customer, newId } from '@storefront/contracts'
import { lockAccount, readCustomer } from '../accounts/accounts.queries.ts'
import type { IdentityContext } from '../context.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { NewAddress, requireRoom, trimAddress, withCountryCode } from './address.ts'
import { insertAddress, listAddresses, setDefaultAddress } from './addresses.queries.ts'

export function addAddressRoute(app: App, { db }: IdentityContext): void {
  app.post('/me/addresses', {
    config: { access: 'customer', errors: ['missing_fields'] },
    schema: {
      summary: 'Add an address',
      description:
        "Adds an address to the customer's address book, which holds up to 50. The response is the whole customer.",
      body: NewAddress,
      response: { 200: Customer },
    },
    handler: ({ actor, body: { isDefault, ...body } }) => {
      const customerId = customerIdOf(actor)
      const address = trimAddress(withCountryCode(body))
      return transaction(db, async (tx) => {
        await lockAccount(tx, customerId)
        const others = await listAddresses(tx, customerId)
        requireRoom(others)
        const id = newId('address')
        await insertAddress(tx, customerId, { id, ...address })
        if (isDefault === true || others.length === 0) await setDefaultAddress(tx, customerId, id)
        return readCustomer(tx, customerId)
      })
    },
  })
}
