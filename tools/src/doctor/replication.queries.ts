import { DatabaseError, type ClientBase } from 'pg'
import { first } from './postgres.queries.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

interface ServerRole {
  /** Null for a connection through a Unix socket. */
  address: string | null
  isStandby: boolean
  timeline: number
}

/** Which server replies, behind whatever address leads to it. */
export async function serverRole(client: ClientBase): Promise<ServerRole> {
  return first<ServerRole>(
    client,
    `select host(inet_server_addr()) || ':' || inet_server_port() as address, pg_is_in_recovery() as "isStandby",
       case when pg_is_in_recovery() then (pg_control_checkpoint()).timeline_id
            else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
  )
}

/**
 * When the primary was promoted: the time of the file that describes its timeline.
 * @returns undefined when the file is not there, or this role may not list the folder of the write-ahead log
 */
export async function promotedAt(client: ClientBase, timeline: number): Promise<Date | undefined> {
  const rows = await readable<{ at: Date }>(
    client,
    `select modification as at from pg_ls_waldir() where name = upper(lpad(to_hex($1::int), 8, '0')) || '.history'`,
    [timeline],
  )
  return rows?.[0]?.at
}

export interface Standby {
  name: string
  address: string | null
  /** Null when this role may not see it. */
  state: string | null
  /** `sync`, `quorum`, `potential` or `async`. */
  syncState: string | null
  /** Write-ahead log that the standby has not replayed. */
  lagBytes: number | null
  /** How long the last replayed transaction took to get there; null when it is up to date and idle. */
  lagSeconds: number | null
}

/**
 * The standbys that are connected to this primary, without base backups, archives of the log, and logical replication.
 */
export async function standbys(client: ClientBase): Promise<Standby[]> {
  const { rows } = await client.query<Standby>(
    `select application_name as name, host(client_addr) as address, state, sync_state as "syncState",
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as "lagBytes",
       extract(epoch from replay_lag)::float8 as "lagSeconds"
     from pg_stat_replication r
     where state is distinct from 'backup' and application_name is distinct from 'pg_receivewal'
       and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
     order by application_name, client_addr`,
  )
  return rows
}

export async function synchronousSettings(client: ClientBase): Promise<{ names: string; commit: string }> {
  return first<{ names: string; commit: string }>(
    client,
    `select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit`,
  )
}

export interface Slot {
  name: string
  isActive: boolean
  /** `lost` when the log that its standby needs was removed. */
  walStatus: string | null
  /** Write-ahead log that the server keeps for it; null before its first use. */
  keptBytes: number | null
}

export async function slots(client: ClientBase): Promise<Slot[]> {
  const { rows } = await client.query<Slot>(
    `select slot_name::text as name, active as "isActive", wal_status as "walStatus",
       pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as "keptBytes"
     from pg_replication_slots where not temporary order by 1`,
  )
  return rows
}

interface Archiver {
  isOn: boolean
  hasCommand: boolean
  usesPgBackRest: boolean
  lastArchivedAt: Date | null
  lastFailedAt: Date | null
}

export async function archiver(client: ClientBase): Promise<Archiver> {
  return first<Archiver>(
    client,
    `select current_setting('archive_mode') <> 'off' as "isOn",
       current_setting('archive_command') not in ('', '(disabled)')
         or coalesce(current_setting('archive_library', true), '') <> '' as "hasCommand",
       current_setting('archive_command') like '%pgbackrest%' as "usesPgBackRest",
       last_archived_time as "lastArchivedAt", last_failed_time as "lastFailedAt"
     from pg_stat_archiver`,
  )
}

/** @returns how many files of the log wait for the archive; undefined when this role may not list them */
export async function filesToArchive(client: ClientBase): Promise<number | undefined> {
  const rows = await readable<{ count: number }>(
    client,
    `select count(*)::int as count from pg_ls_archive_statusdir() where name like '%.ready'`,
  )
  return rows?.[0]?.count
}

export interface BackupLabel {
  endedAt: Date
  /** What its program calls the backup; null when this role may not read it. */
  label: string | null
}

/**
 * The newest base backup, or copy for a standby, that this primary has completed: with an archive PostgreSQL keeps the
 * file about it until the next one.
 * @returns undefined when there is none, `hidden` when this role may not list the folder of the write-ahead log
 */
export async function newestBackup(client: ClientBase): Promise<BackupLabel | undefined | 'hidden'> {
  const files = await readable<{ name: string; endedAt: Date }>(
    client,
    `select name, modification as "endedAt" from pg_ls_waldir() where name like '%.backup'
     order by modification desc, name desc limit 1`,
  )
  if (files === undefined) return 'hidden'
  const [newest] = files
  if (newest === undefined) return undefined
  const texts = await readable<{ label: string | null }>(
    client,
    `select substring(pg_read_file('pg_wal/' || $1, 0, 10000, true) from 'LABEL: ([^\n]*)') as label`,
    [newest.name],
  )
  return { endedAt: newest.endedAt, label: texts?.[0]?.label ?? null }
}

async function readable<Row extends Record<string, unknown>>(
  client: ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<Row[] | undefined> {
  try {
    return (await client.query<Row>(text, values)).rows
  } catch (error) {
    if (error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return undefined
    throw error
  }
}
