import { Client } from 'pg'

/** The database of a shop, with all rights. */
export function shopDatabaseUrl(adminUrl: string): string {
  const url = new URL(adminUrl)
  url.pathname = '/shop'
  return url.toString()
}

/** Connects to the database of a shop for as long as the work takes. */
export async function inShopDatabase<Result>(
  adminUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: shopDatabaseUrl(adminUrl) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
