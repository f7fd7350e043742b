import { Client } from 'pg'

/** Runs one statement on a connection of its own. */
export async function queryAt<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row & Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}
