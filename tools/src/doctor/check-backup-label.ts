import { isOutage } from '@storefront/postgres'
import { Client, type ClientBase } from 'pg'
import { backupLabelFinding, type KnownBackups } from './backup-label-finding.ts'
import type { DoctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'
import * as queries from './replication.queries.ts'

const DEADLINE_MS = 5000

/**
 * How old the newest base backup is, as far as the primary itself knows: for a doctor without pgBackRest beside it.
 * @returns undefined where nothing is archived, or no primary responds, which other checks report
 */
export async function checkBackupLabel({ addresses, clock }: DoctorContext): Promise<Finding | undefined> {
  let client: Client
  try {
    const options = { connectionTimeoutMillis: DEADLINE_MS, query_timeout: DEADLINE_MS, application_name: 'doctor' }
    client = new Client({ connectionString: addresses.database, ...options })
    client.on('error', () => {}) // The next query fails with the error.
    await client.connect()
  } catch {
    return undefined
  }
  try {
    const known = await readKnown(client)
    return known && backupLabelFinding(known, clock.now())
  } catch (error) {
    // The primary changed meanwhile.
    if (isOutage(error)) return undefined
    throw error
  } finally {
    await client.end()
  }
}

async function readKnown(client: ClientBase): Promise<KnownBackups | undefined> {
  const { isStandby, timeline } = await queries.serverRole(client)
  const { isOn, hasCommand, usesPgBackRest } = await queries.archiver(client)
  if (isStandby || !isOn || !hasCommand) return undefined
  const promotedAt = timeline === 1 ? undefined : await queries.promotedAt(client, timeline)
  return { newest: await queries.newestBackup(client), timeline, promotedAt, usesPgBackRest }
}
