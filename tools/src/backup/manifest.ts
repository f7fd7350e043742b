import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, StartError } from '../start-error.ts'

export const MANIFEST_FILE = 'manifest.json'
/** Holds a file for each table. */
export const DATABASE_FOLDER = 'database'
export const MEDIA_FOLDER = 'media'

const FORMAT = 2

export const Manifest = z.object({
  format: z.literal(FORMAT),
  takenAt: z.iso.datetime(),
  namespace: z.string(),
  /** Major version of the server that the backup was taken from. */
  postgres: z.number(),
  /** Checksums of the migrations that had run, by schema and name. A restore creates the tables with them. */
  migrations: z.record(z.string(), z.record(z.string(), z.string())),
  /** Columns by `schema.table`, in the order in which the file of the table has them. */
  columns: z.record(z.string(), z.array(z.string())),
  /** Rows by `schema.table`. */
  rows: z.record(z.string(), z.int().nonnegative()),
  /** The last value of each sequence, by `schema.sequence`; null for one that is unused. */
  sequences: z.record(
    z.string(),
    z
      .string()
      .regex(/^-?\d{1,19}$/)
      .nullable(),
  ),
  /** Variants whose stock did not match its ledger in that snapshot. */
  ledgerFaults: z.number(),
  /** Pictures of that snapshot whose files were missing or incomplete. */
  lackingPictures: z.number().default(0),
  /** SHA-256 by path below the folder. */
  checksums: z.record(z.string(), z.string()),
})
export type Manifest = z.output<typeof Manifest>

/** @returns the file of a table, below the folder of a backup */
export function fileOf(table: string): string {
  return join(DATABASE_FOLDER, `${table}.copy.gz`)
}

/** The default folder of backups. */
export function backupsFolder(env: Readonly<Record<string, string | undefined>>, dataDir: string): string {
  return env['BACKUP_DIR'] || join(dataDir, 'backups')
}

/** @throws StartError when the folder holds no complete backup, because the manifest is written last */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    const content: unknown = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8'))
    rejectEarlierFormat(folder, content)
    return Manifest.parse(content)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `${folder} is not a backup of a shop (${reasonOf(error)}): name the folder that npm run backup made.`,
    )
  }
}

function rejectEarlierFormat(folder: string, content: unknown): void {
  if (!z.object({ format: z.literal(1) }).safeParse(content).success) return
  throw new StartError(
    `${folder} was made by an earlier version of npm run backup: read its database.dump with pg_restore, as docs/operations.md describes.`,
  )
}

function reasonOf(error: unknown): string {
  const text = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
  return text.split('\n').slice(0, 2).join(' ').replaceAll(/\s+/g, ' ')
}

/** @returns the newest backup in the default folder, or undefined */
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
