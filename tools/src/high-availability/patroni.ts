import { chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import { clusterHome } from '../infrastructure/postgres-cluster.ts'
import type { PostgresOwner } from '../infrastructure/postgres-owner.ts'
import type { EnginePrograms } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { PORTS } from './ports.ts'

export interface DatabasePasswords {
  superuser: string
  replication: string
  rewind: string
  patroni: string
}

interface PostgresPlace {
  machine: MachineName
  network: Network
  /** The folder of the machine. */
  folder: string
  owner: PostgresOwner | undefined
}

/** Seconds. A primary that cannot renew its key for this long is replaced: it has then stopped accepting writes itself. */
const KEY_LIFETIME = 6
const ROUND = 1
const RETRY = 2

/**
 * The settings of all members, which Patroni keeps in etcd. A commit waits until one standby has it on its disk, and only
 * that standby can become the primary, so no commit that was acknowledged is lost. When both standbys are gone, commits
 * no longer wait, and nobody replaces the primary.
 */
const SHARED_SETTINGS = {
  ttl: KEY_LIFETIME,
  loop_wait: ROUND,
  retry_timeout: RETRY,
  synchronous_mode: true,
  maximum_lag_on_failover: 1_048_576,
  // A primary that crashed is replaced at once instead of waiting until it has recovered.
  primary_start_timeout: 0,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 300,
      shared_buffers: '128MB',
      wal_compression: 'on',
      wal_log_hints: 'on',
      wal_keep_size: '256MB',
      // Old sessions of a slot that nobody reads may not fill the disk.
      max_slot_wal_keep_size: '4GB',
      jit: 'off',
      timezone: 'UTC',
      log_timezone: 'UTC',
      // Commits wait for a standby that vanished until this ends, and then for the next one.
      wal_sender_timeout: '3s',
      wal_receiver_timeout: '3s',
      wal_retrieve_retry_interval: '1s',
      // Sessions of a client that vanished keep their locks until these end.
      tcp_keepalives_idle: 2,
      tcp_keepalives_interval: 1,
      tcp_keepalives_count: 3,
      tcp_user_timeout: '5s',
    },
  },
}

/** The folder of a machine's database. */
export function databaseFolder({ folder, owner }: Pick<PostgresPlace, 'folder' | 'owner'>): string {
  return join(clusterHome(folder, owner), 'data')
}

/** The command of a machine's Patroni, which starts PostgreSQL there and decides with the others who is the primary. */
export function patroniCommand(programs: EnginePrograms, place: PostgresPlace, passwords: DatabasePasswords): Command {
  const { folder, owner, machine, network } = place
  const home = clusterHome(folder, owner)
  makeFolder(home)
  const file = join(home, 'patroni.json') // JSON is YAML.
  const { folder: binaries, libraryPath } = programs.postgres
  writeFileAtomically(
    file,
    `${JSON.stringify(configuration(machine, network, { home, binaries, passwords }), null, 2)}\n`,
  )
  if (owner) for (const path of [home, file]) chownSync(path, owner.uid, owner.gid)
  const { patroni } = programs
  const libraries = [patroni.env['LD_LIBRARY_PATH'], libraryPath].filter((path) => path !== undefined && path !== '')
  return {
    ...patroni,
    args: [...patroni.args, file],
    env: { ...patroni.env, TZ: 'UTC', ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }) },
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  }
}

function configuration(
  machine: MachineName,
  network: Network,
  { home, binaries, passwords }: { home: string; binaries: string; passwords: DatabasePasswords },
) {
  const own = network.addressOf(machine)
  const rest = { listen: `${own}:${PORTS.patroni}`, connect_address: `${own}:${PORTS.patroni}` }
  return {
    scope: 'shop',
    name: machine,
    restapi: { ...rest, authentication: { username: 'patroni', password: passwords.patroni } },
    etcd3: {
      hosts: [machine, ...MACHINE_NAMES.filter((name) => name !== machine)].map(
        (name) => `${network.addressOf(name)}:${PORTS.etcd}`,
      ),
    },
    bootstrap: {
      dcs: SHARED_SETTINGS,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: MACHINE_NAMES.flatMap((name) => [
        `host replication replication ${network.addressOf(name)}/32 scram-sha-256`,
        `host all all ${network.addressOf(name)}/32 scram-sha-256`,
      ]).concat(`host all all ${network.hostAddress}/32 scram-sha-256`),
    },
    postgresql: {
      listen: `${own}:${PORTS.postgres}`,
      connect_address: `${own}:${PORTS.postgres}`,
      data_dir: join(home, 'data'),
      bin_dir: binaries,
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replication', password: passwords.replication },
        rewind: { username: 'rewind', password: passwords.rewind },
      },
      parameters: { unix_socket_directories: '', password_encryption: 'scram-sha-256' },
    },
  }
}

/** What Patroni reports about a machine's PostgreSQL. @returns undefined when it does not respond */
export async function postgresRole(address: string): Promise<'primary' | 'standby' | undefined> {
  const isIn = async (path: string): Promise<boolean> => {
    const url = `http://${address}:${PORTS.patroni}${path}`
    const response = await fetch(url, { method: 'OPTIONS', signal: AbortSignal.timeout(1_000) })
    await response.body?.cancel()
    return response.status === 200
  }
  try {
    if (await isIn('/primary')) return 'primary'
    return (await isIn('/replica')) ? 'standby' : undefined
  } catch {
    return undefined
  }
}

export function hasDatabase(place: Pick<PostgresPlace, 'folder' | 'owner'>): boolean {
  return existsSync(join(databaseFolder(place), 'PG_VERSION'))
}
