import { chownSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import { patroniSecrets } from '../infrastructure/cluster-secrets.ts'
import { clusterHome } from '../infrastructure/postgres-cluster.ts'
import type { PostgresOwner } from '../infrastructure/postgres-owner.ts'
import type { EnginePrograms } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network, ownFirst } from './network.ts'
import { PORTS } from './ports.ts'

type DatabasePasswords = Parameters<typeof patroniSecrets>[0]

interface PatroniOptions {
  machine: MachineName
  network: Network
  /** The folder of the machine. */
  folder: string
  owner: PostgresOwner | undefined
  unsafeCommits: boolean
}

/** What all members have in common: the file of the deployments. */
const sharedFile = resolve(import.meta.dirname, '../../../deploy/high-availability/patroni.yml')

const Shared = z.looseObject({
  bootstrap: z.looseObject({ post_bootstrap: z.string(), dcs: z.looseObject({}) }),
  postgresql: z.looseObject({ parameters: z.looseObject({}) }),
  etcd: z.looseObject({}),
})

/**
 * With these, seconds of acknowledged commits exist on the primary only, and a standby without them may be promoted.
 */
const UNSAFE = {
  cluster: { synchronous_mode: false, maximum_lag_on_failover: 1024 ** 3 },
  parameters: { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '1GB' },
}

/** The folder of a machine's database. */
export function databaseFolder({ folder, owner }: Pick<PatroniOptions, 'folder' | 'owner'>): string {
  return join(clusterHome(folder, owner), 'data')
}

/** The command of a machine's Patroni, which starts PostgreSQL there and decides with the others who is the primary. */
export function patroniCommand(
  programs: EnginePrograms,
  options: PatroniOptions,
  passwords: DatabasePasswords,
): Command {
  const { folder, owner } = options
  const home = clusterHome(folder, owner)
  const configurations = join(home, 'patroni')
  makeFolder(configurations)
  const files = {
    // JSON is YAML.
    '10-cluster.yml': JSON.stringify(configuration(options, { home, binaries: programs.postgres.folder }), null, 2),
    '20-secrets.yml': patroniSecrets(passwords),
  }
  for (const [name, content] of Object.entries(files)) writeFileAtomically(join(configurations, name), content)
  const own = [home, configurations, ...Object.keys(files).map((name) => join(configurations, name))]
  if (owner) for (const path of own) chownSync(path, owner.uid, owner.gid)
  const { patroni, postgres } = programs
  const libraries = [patroni.env['LD_LIBRARY_PATH'], postgres.libraryPath].filter(
    (path) => path !== undefined && path !== '',
  )
  return {
    ...patroni,
    args: [...patroni.args, configurations],
    env: { ...patroni.env, TZ: 'UTC', ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }) },
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  }
}

function configuration(
  { machine, network, unsafeCommits }: PatroniOptions,
  { home, binaries }: { home: string; binaries: string },
) {
  const own = network.addressOf(machine)
  const { bootstrap, postgresql, etcd, ...shared } = Shared.parse(parse(readFileSync(sharedFile, 'utf8')))
  // The migrate step creates the database.
  const { post_bootstrap: _, ...ourBootstrap } = bootstrap
  const members = [...MACHINE_NAMES.map((name) => network.addressOf(name)), network.hostAddress]
  return {
    ...shared,
    name: machine,
    restapi: { listen: `${own}:${PORTS.patroni}`, connect_address: `${own}:${PORTS.patroni}` },
    // Not `etcd3`: see docs/decisions/0096-three-machines-on-one.md.
    etcd: { ...etcd, hosts: ownFirst(machine).map((name) => `${network.addressOf(name)}:${PORTS.etcd}`) },
    bootstrap: { ...ourBootstrap, dcs: { ...bootstrap.dcs, ...(unsafeCommits && UNSAFE.cluster) } },
    postgresql: {
      ...postgresql,
      listen: `${own}:${PORTS.postgres}`,
      connect_address: `${own}:${PORTS.postgres}`,
      data_dir: join(home, 'data'),
      bin_dir: binaries,
      pgpass: join(home, 'pgpass'),
      // A machine has no socket of its own in the file system.
      parameters: {
        ...postgresql.parameters,
        ...(unsafeCommits && UNSAFE.parameters),
        unix_socket_directories: '',
      },
      pg_hba: members.flatMap((address) => [
        `host replication replicator ${address}/32 scram-sha-256`,
        `host all all ${address}/32 scram-sha-256`,
      ]),
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
