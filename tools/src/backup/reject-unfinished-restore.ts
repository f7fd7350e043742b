import { Client } from 'pg'
import { StartError } from '../start-error.ts'
import { unfinishedRestore } from './backup.queries.ts'

const TIMEOUT_MS = 10_000

/** @throws StartError when a restore into this database committed its rows, and ended before its last step */
export async function rejectUnfinishedRestore(database: string): Promise<void> {
  const client = new Client({
    connectionString: database,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {}) // The next query fails with the reason.
  await client.connect()
  try {
    const folder = await unfinishedRestore(client)
    if (folder !== null) {
      throw new StartError(`The restore of ${folder} was not finished: run npm run restore -- ${folder} again.`)
    }
  } finally {
    await client.end()
  }
}
