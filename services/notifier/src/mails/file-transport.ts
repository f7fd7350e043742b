import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailTransport } from './mail-transport.ts'

/** Nobody answers for a file, so many are written at a time, and noted together. */
const CONCURRENCY = 32
const CLAIM_GAP_MS = 100

/** Writes mails as `.eml` files. The name follows from the event, so a repeat replaces the same file with the same text. */
export function createFileTransport(directory: string): MailTransport {
  return {
    concurrency: CONCURRENCY,
    claimGapMs: CLAIM_GAP_MS,
    async send(message) {
      const temporary = join(directory, `.${randomUUID()}.tmp`)
      try {
        const file = await create(temporary, directory)
        try {
          await file.writeFile(message.bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporary, join(directory, `${message.name}.eml`))
        return { kind: 'sent', answer: `${message.name}.eml` }
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {})
        return { kind: 'broken', answer: error instanceof Error ? error.message : String(error) }
      }
    },
    close() {},
  }
}

/** The directory is looked for only when it is missing: it may be removed at any time. */
async function create(path: string, directory: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    await mkdir(directory, { recursive: true })
    return open(path, 'w', 0o600)
  }
}
