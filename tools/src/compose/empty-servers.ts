import { resetExternal } from '../reset-external.ts'
import { shopNamespace } from '../shop-namespace.ts'
import { messageOf } from '../start-error.ts'

/**
 * Between the return of a backup and the migrate step: what Redis and NATS hold speaks of a database that is gone, and is
 * made again from the one that is back. The database stays as it is.
 */
try {
  const { REDIS_URL, NATS_URL } = process.env
  const say = (line: string) => process.stdout.write(`${line}\n`)
  await resetExternal({ env: { REDIS_URL, NATS_URL }, namespace: shopNamespace, say })
} catch (error) {
  process.stderr.write(`empty-servers: ${messageOf(error)}\n`)
  process.exitCode = 1
}
