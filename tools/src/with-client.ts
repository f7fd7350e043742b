import { Client, type ClientConfig } from 'pg'

/** Connects to a database for one piece of work. */
export async function withClient<Result>(
  config: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config)
  client.on('error', () => {}) // The next query fails with the reason.
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The address of another database on the same server. */
export function urlOfDatabase(address: string, database: string): string {
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}

/**
 * The address of the shop's database. Where it names none, or the maintenance database `postgres`, which is not for
 * tables, it is a database with the name of the namespace, which the migrate step creates.
 */
export function shopDatabaseUrl(address: string, namespace: string): string {
  const { href, pathname } = new URL(address)
  return pathname.length > 1 && pathname !== '/postgres' ? href : urlOfDatabase(address, namespace)
}
