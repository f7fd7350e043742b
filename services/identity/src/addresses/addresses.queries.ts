import { sql } from 'kysely'
import type { Address, CustomerAddress } from '@storefront/contracts'
import type { Connection, Tx } from '../database.ts'

export async function listAddresses(connection: Connection, customerId: string): Promise<CustomerAddress[]> {
  return (await listAddressesOf(connection, [customerId])).get(customerId) ?? []
}

/** By customer; a customer without addresses is missing. */
export async function listAddressesOf(
  connection: Connection,
  customerIds: readonly string[],
): Promise<Map<string, CustomerAddress[]>> {
  if (customerIds.length === 0) return new Map()
  const rows = await connection
    .selectFrom('addresses')
    .selectAll()
    .where('customer_id', '=', sql<string>`any(${customerIds}::text[])`)
    .orderBy('position')
    .execute()
  const addresses = new Map<string, CustomerAddress[]>()
  for (const row of rows) {
    const address = {
      id: row.id,
      name: row.name,
      line1: row.line1,
      line2: row.line2,
      city: row.city,
      region: row.region,
      postalCode: row.postal_code,
      country: row.country,
      phone: row.phone,
      isDefault: row.is_default,
    }
    addresses.set(row.customer_id, [...(addresses.get(row.customer_id) ?? []), address])
  }
  return addresses
}

export async function insertAddress(
  tx: Tx,
  customerId: string,
  { postalCode, ...address }: Address & { id: string },
): Promise<void> {
  await tx
    .insertInto('addresses')
    .values({ ...address, postal_code: postalCode, customer_id: customerId, is_default: false })
    .execute()
}

export async function updateAddress(tx: Tx, id: string, { postalCode, ...address }: Address): Promise<void> {
  await tx
    .updateTable('addresses')
    .set({ ...address, postal_code: postalCode })
    .where('id', '=', id)
    .execute()
}

export async function deleteAddress(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('addresses').where('id', '=', id).execute()
}

/** Empties the address book. Requires the lock on the account. */
export async function deleteAllAddresses(tx: Tx, customerId: string): Promise<void> {
  await tx.deleteFrom('addresses').where('customer_id', '=', customerId).execute()
}

/** Makes one address the default and no other. Requires the lock on the account. */
export async function setDefaultAddress(tx: Tx, customerId: string, id: string): Promise<void> {
  // Two statements: the unique index is checked row by row, and would find two defaults.
  await tx
    .updateTable('addresses')
    .set({ is_default: false })
    .where('customer_id', '=', customerId)
    .where('is_default', '=', true)
    .execute()
  await tx
    .updateTable('addresses')
    .set({ is_default: true })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .execute()
}
