import type { ClientBase } from 'pg'
import { replacedSchema } from './backup.queries.ts'

const deletedCustomers = `${replacedSchema('orders')}.deleted_customers`
const auditEntries = `${replacedSchema('orders')}.audit_entries`

/** The restored accounts that were deleted in the shop whose schemas were moved aside. */
export async function findDeletedAccounts(client: ClientBase): Promise<string[]> {
  if (!(await exist(client, [deletedCustomers]))) return []
  const { rows } = await client.query<{ id: string }>(
    `select id from identity.customers where id in (select customer_id from ${deletedCustomers}) order by id`,
  )
  return rows.map(({ id }) => id)
}

/** The restored buyers whose data were deleted in that shop, which has a record of it in its audit only. */
export async function findErasedBuyers(client: ClientBase): Promise<string[]> {
  if (!(await exist(client, [auditEntries, 'orders.buyers']))) return []
  const { rows } = await client.query<{ id: string }>(
    `select id from orders.buyers where id in (
       select subject_id from ${auditEntries} where action = 'erase' and subject_kind = 'buyer') order by id`,
  )
  return rows.map(({ id }) => id)
}

/** A backup, or the shop that it replaces, may be from before a table. */
async function exist(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ exist: boolean }>(
    'select bool_and(to_regclass(name) is not null) as exist from unnest($1::text[]) as name',
    [tables],
  )
  return rows[0]?.exist === true
}
