import { StartError } from '../start-error.ts'
import { withClient } from '../with-client.ts'
import { unfinishedRestore } from './backup.queries.ts'

const TIMEOUT_MS = 10_000

/** @throws StartError when a restore into this database committed its rows, and ended before its last step */
export async function rejectUnfinishedRestore(database: string): Promise<void> {
  const config = { connectionString: database, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
  const unfinished = await withClient(config, unfinishedRestore)
  if (unfinished !== null) {
    const { folder } = unfinished
    throw new StartError(`The restore of ${folder} was not finished: run npm run restore -- ${folder} again.`)
  }
}
