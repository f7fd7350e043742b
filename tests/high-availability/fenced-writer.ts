import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PORTS, type Machine, type RunningCluster } from '@storefront/tools/high-availability'
import { startChild, stopChild } from '@storefront/tools/infrastructure'
import { waitFor } from '@storefront/tools/testing'
import { withClient } from '@storefront/tools/with-client'
import type { FencedWrites } from './check-fenced-writes.ts'

interface FencedWriterOptions {
  cluster: Pick<RunningCluster, 'databaseUrl'> & { network: Pick<RunningCluster['network'], 'on'> }
  /** The folder for the ids that were acknowledged. */
  folder: string
  /** By default those of PostgreSQL itself, and of the balancer that leads to the primary. */
  ports?: readonly number[]
}

/** Keeps clients that write on machines that are cut off. Nothing else reaches the PostgreSQL there. */
export interface FencedWriter {
  /** Starts a client on a machine. @returns stops it, when PostgreSQL has acknowledged a row at each port */
  start: (machine: Pick<Machine, 'name' | 'address'>) => Promise<() => Promise<void>>
  /** Reads what was acknowledged to all clients so far, and what the primary has. */
  read: () => Promise<FencedWrites>
  /** Deletes the rows with their table. */
  close: () => Promise<void>
}

const program = join(import.meta.dirname, 'keep-writing.ts')
const CONNECT_MS = 5_000
const STOP_MS = 5_000
const REMOVE = 'drop schema if exists fenced_writer cascade; drop role if exists fenced_writer'

/** Creates a table for the rows, in a schema that no service uses, and a role that may only insert into it. */
export async function openFencedWriter({
  cluster,
  folder,
  ports = [PORTS.postgres, PORTS.postgresPrimary],
}: FencedWriterOptions): Promise<FencedWriter> {
  const password = randomBytes(16).toString('hex')
  const files: string[] = []
  const config = { connectionString: cluster.databaseUrl, connectionTimeoutMillis: CONNECT_MS }
  const query = (text: string) => withClient(config, (client) => client.query<{ id: string }>(text))
  await query(
    `${REMOVE}; create role fenced_writer login password '${password}'; create schema fenced_writer;
     create table fenced_writer.writes (id text primary key); grant usage on schema fenced_writer to fenced_writer;
     grant insert on fenced_writer.writes to fenced_writer`,
  )
  return {
    async start({ name, address }) {
      const prefix = `fault-${files.length + 1}`
      const file = join(folder, `acknowledged-${prefix}.txt`)
      await rm(file, { force: true })
      files.push(file)
      const client = await startChild(
        cluster.network.on(name, {
          file: process.execPath,
          args: ['--disable-warning=ExperimentalWarning', program, prefix, file, ...ports.map(String)],
          env: {
            PGHOST: address,
            PGUSER: 'fenced_writer',
            PGPASSWORD: password,
            PGDATABASE: new URL(cluster.databaseUrl).pathname.slice(1),
          },
        }),
        join(folder, 'fenced-writer.log'),
        'SIGTERM',
      )
      const stop = () => stopChild(client, 'SIGTERM', STOP_MS)
      const isAcknowledgedAt = (port: number) => idsIn(file).some((id) => id.startsWith(`${prefix}:${port}:`))
      try {
        await waitFor(`rows that PostgreSQL acknowledged on ${name}`, () => ports.every(isAcknowledgedAt))
        return stop
      } catch (error) {
        await stop()
        throw error
      }
    },
    async read() {
      // First, because a client may be writing.
      const acknowledged = files.flatMap(idsIn)
      const { rows } = await waitFor('the rows of the primary', () => query('select id from fenced_writer.writes'))
      return { acknowledged, stored: rows.map(({ id }) => id) }
    },
    async close() {
      await query(REMOVE)
    },
  }
}

/** Without an incomplete last line. */
function idsIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}
