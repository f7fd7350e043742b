import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, StartError } from '../start-error.ts'

export const MANIFEST_FILE = 'manifest.json'
export const DUMP_FILE = 'database.dump'
export const MEDIA_FOLDER = 'media'

export const Manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  namespace: z.string(),
  postgres: z.number(),
  /** A dump of single schemas leaves out the extensions that they need. */
  extensions: z.array(z.string()),
  /** Names of the migrations that had run, by schema. */
  migrations: z.record(z.string(), z.array(z.string())),
  /** Rows by `schema.table`, in the snapshot of the dump. */
  rows: z.record(z.string(), z.number()),
  /** Variants whose books did not add up in that snapshot. */
  ledgerFaults: z.number(),
  /** SHA-256 by path below the folder. */
  checksums: z.record(z.string(), z.string()),
})
export type Manifest = z.output<typeof Manifest>

/** Where backups lie unless one is told otherwise. */
export function backupsFolder(env: Readonly<Record<string, string | undefined>>, dataDir: string): string {
  return env['BACKUP_DIR'] || join(dataDir, 'backups')
}

/** @throws StartError when the folder holds no whole backup: its manifest is the last that is written */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')))
  } catch (error) {
    throw new StartError(
      `${folder} is no backup of a shop (${reasonOf(error)}): name the folder that npm run backup made.`,
    )
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
  return text.split('\n').slice(0, 2).join(' ').replaceAll(/\s+/g, ' ')
}

/** @returns the youngest backup in the usual folder, or undefined */
export async function newestBackup(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): Promise<Manifest | undefined> {
  const folder = backupsFolder(env, dataDir)
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(names.map((name) => readManifest(join(folder, name)).catch(() => undefined)))
  return found
    .filter((manifest) => manifest !== undefined)
    .toSorted((one, other) => one.takenAt.localeCompare(other.takenAt))
    .at(-1)
}
