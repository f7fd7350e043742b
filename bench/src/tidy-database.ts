import { Client } from 'pg'

/**
 * Does at once what PostgreSQL does by itself within minutes after a bulk load: old rows removed, statistics made, pages
 * written out. Otherwise it would do so in the middle of what is measured.
 */
export async function tidyDatabase(adminUrl: string): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = '/shop'
  const client = new Client({ connectionString: url.toString() })
  await client.connect()
  try {
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
