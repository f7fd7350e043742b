import { withClient } from '@storefront/tools/with-client'

/** Runs one statement on a connection of its own. */
export function queryAt<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return withClient({ connectionString: url }, async (client) => {
    return (await client.query<Row & Record<string, unknown>>(text, values)).rows
  })
}
