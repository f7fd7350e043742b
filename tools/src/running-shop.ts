import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder, writeFileAtomically } from './files.ts'
import type { ShopSettings } from './shop-settings.ts'

/**
 * What tools must know of a shop that runs and cannot read from its data folder otherwise. Addresses may hold passwords: only
 * the user who started the shop may read the file, and it is there as long as the shop runs.
 */
const RunningShop = z.object({
  startedAt: z.iso.datetime(),
  /** Servers that the shop was given; absent are those that it started by itself. */
  databaseUrl: z.string().optional(),
  redisUrl: z.string().optional(),
  natsUrl: z.string().optional(),
  /** The mail server that the shop was given, without user and password; absent when it started one by itself. */
  mailServerUrl: z.string().optional(),
  hasSecretsKey: z.boolean(),
})
export type RunningShop = z.output<typeof RunningShop>

/** @returns how to remove the note again */
export function noteRunningShop(dataDir: string, settings: ShopSettings, startedAt: Date): () => void {
  const { DATABASE_URL, REDIS_URL, NATS_URL, SMTP_URL, SECRETS_KEY } = settings
  const shop: RunningShop = {
    startedAt: startedAt.toISOString(),
    ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }),
    ...(REDIS_URL !== undefined && { redisUrl: REDIS_URL }),
    ...(NATS_URL !== undefined && { natsUrl: NATS_URL }),
    ...(SMTP_URL !== undefined && { mailServerUrl: withoutCredentials(SMTP_URL) }),
    hasSecretsKey: SECRETS_KEY !== undefined,
  }
  makeFolder(join(dataDir, 'run'))
  writeFileAtomically(pathOf(dataDir), `${JSON.stringify(shop, null, 2)}\n`)
  return () => rmSync(pathOf(dataDir), { force: true })
}

/** @returns undefined when no shop runs in the folder, or none that this version started */
export function readRunningShop(dataDir: string): RunningShop | undefined {
  const path = pathOf(dataDir)
  if (!existsSync(path)) return undefined
  try {
    return RunningShop.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined // Not for our eyes, or damaged: a variable can take its place.
  }
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
