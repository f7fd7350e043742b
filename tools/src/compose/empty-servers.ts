import { resetExternal } from '../reset-external.ts'
import { shopNamespace } from '../shop-namespace.ts'
import { messageOf } from '../start-error.ts'

/**
 * Runs between restoring a backup and the migrate step: data of Redis and NATS belongs to the replaced database, and is
 * rebuilt from the restored one. The database stays as it is.
 */
try {
  const { REDIS_URL, NATS_URL } = process.env
  const print = (line: string) => process.stdout.write(`${line}\n`)
  await resetExternal({ env: { REDIS_URL, NATS_URL }, namespace: shopNamespace, print })
} catch (error) {
  process.stderr.write(`empty-servers: ${messageOf(error)}\n`)
  process.exitCode = 1
}
