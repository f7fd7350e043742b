import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { makeFolder, writeFileAtomically } from './files.ts'
import { ownDatabaseUrls } from './own-databases.ts'
import { readJson } from './read-json.ts'
import type { ShopSettings } from './shop-settings.ts'

/**
 * What tools need to know about a running shop, beyond the other files of its data folder. Addresses may contain
 * passwords, so only the user who started the shop may read the file. It exists while the shop runs.
 */
const RunningShop = z.object({
  startedAt: z.iso.datetime(),
  /** Addresses of servers of the environment; absent for servers that the shop started itself. */
  databaseUrl: z.string().optional(),
  /** By service: schemas on servers of their own. */
  ownDatabaseUrls: z.partialRecord(z.enum(SERVICE_NAMES), z.string()).default({}),
  redisUrl: z.string().optional(),
  natsUrl: z.string().optional(),
  /** The mail server in SMTP_URL, without user and password; absent when the shop started a mailbox itself. */
  mailServerUrl: z.string().optional(),
  hasSecretsKey: z.boolean(),
  /** What the doctor has in its environment elsewhere: where else programs respond, and how many replicas there are. */
  variables: z.record(z.string(), z.string()).default({}),
})
export type RunningShop = z.output<typeof RunningShop>

/** Writes the file. @returns a function that removes it */
export function recordRunningShop(
  dataDir: string,
  settings: ShopSettings,
  startedAt: Date,
  variables: Record<string, string> = {},
): () => void {
  const { DATABASE_URL, REDIS_URL, NATS_URL, SMTP_URL, SECRETS_KEY } = settings
  const shop: RunningShop = {
    startedAt: startedAt.toISOString(),
    ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }),
    ownDatabaseUrls: ownDatabaseUrls(settings.given),
    ...(REDIS_URL !== undefined && { redisUrl: REDIS_URL }),
    ...(NATS_URL !== undefined && { natsUrl: NATS_URL }),
    ...(SMTP_URL !== undefined && { mailServerUrl: withoutCredentials(SMTP_URL) }),
    hasSecretsKey: SECRETS_KEY !== undefined,
    variables,
  }
  makeFolder(join(dataDir, 'run'))
  writeFileAtomically(pathOf(dataDir), `${JSON.stringify(shop, null, 2)}\n`)
  return () => rmSync(pathOf(dataDir), { force: true })
}

/** @returns undefined when no shop runs in the folder, or another version started it */
export function readRunningShop(dataDir: string): RunningShop | undefined {
  return readJson(pathOf(dataDir), RunningShop) // Environment variables can replace it.
}

function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'run', 'shop.json')
}
