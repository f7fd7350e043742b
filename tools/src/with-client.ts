import { Client, type ClientConfig } from 'pg'

/** Connects to a database for one piece of work. */
export async function withClient<Result>(
  config: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config)
  client.on('error', () => {}) // The next query fails with the reason.
  await client.connect()
  try {
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
