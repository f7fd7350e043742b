/**
 * A client on a machine that is cut off: it inserts rows all the time, and records the ids that PostgreSQL has
 * acknowledged. Its arguments are a prefix of the ids, the file for them, and the ports; everything else is in the variables
 * of PostgreSQL.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

const [prefix = '', file = '', ...ports] = process.argv.slice(2)
const EVERY_MS = 100
const CONNECT_MS = 2_000

await Promise.all(ports.map(keepWriting))

async function keepWriting(port: string): Promise<void> {
  let count = 0
  for (;;) {
    const client = new Client({ port: Number(port), connectionTimeoutMillis: CONNECT_MS })
    client.on('error', () => {}) // The insert fails with the reason.
    try {
      await client.connect()
      for (;;) {
        const id = `${prefix}:${port}:${++count}`
        // Without a timeout, because a commit that is acknowledged late counts, too.
        await client.query('insert into fenced_writer.writes (id) values ($1)', [id])
        appendFileSync(file, `${id}\n`)
        await setTimeout(EVERY_MS)
      }
    } catch {
      // This PostgreSQL is down or a standby, or no primary is reached: that is the purpose of the fault.
      void client.end().catch(() => {})
      await setTimeout(EVERY_MS)
    }
  }
}
