import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many mails of the development shop are kept. Older ones are deleted at the start, and while new ones arrive. */
const KEPT = 10_000
const TIDY_AFTER = 500
/** Files of a mailbox that was killed while writing. */
const UNFINISHED = /^\.[\w-]{36}\.tmp$/
const NAME = /^[\w.-]{1,200}\.eml$/

export interface MailFolder {
  /**
   * Stores a mail durably: it survives a power cut. A repeated mail is stored in another file. @returns the file's name
   */
  save(mail: Buffer): Promise<string>
  /** Names of the newest mails, newest first. */
  newest(limit: number): Promise<string[]>
  /** @returns undefined when there is no such mail */
  read(name: string): Promise<Buffer | undefined>
  /** The first bytes of a mail, which hold its headers. @returns undefined when there is no such mail */
  readStart(name: string, bytes: number): Promise<Buffer | undefined>
  /** Removes all but the newest mails, and unfinished files. Must not run while a mail is saved. */
  tidy(): Promise<void>
}

/**
 * Keeps mails as `.eml` files, which every mail program opens, named after the time and the Message-ID.
 * @param options.kept how many mails are kept; older ones are deleted
 */
export function mailFolder(folder: string, { kept = KEPT, tidyAfter = TIDY_AFTER } = {}): MailFolder {
  let sinceTidied = 0
  let tidying: Promise<void> | undefined
  const names = async (): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted()

  async function dropOldest(): Promise<void> {
    for (const name of (await names()).slice(0, -kept)) await rm(join(folder, name), { force: true })
  }

  function tidyAfterSave(): void {
    if (++sinceTidied < tidyAfter || tidying) return
    sinceTidied = 0
    tidying = dropOldest()
      .catch((error: unknown) => console.error(error))
      .finally(() => (tidying = undefined))
  }

  return {
    async save(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `.${randomUUID()}.tmp`)
      try {
        await writeFile(temporary, mail, { flag: 'wx', mode: 0o600, flush: true })
        const stem = `${new Date().toISOString().replaceAll(':', '-')}-${messageIdOf(mail)}`
        const name = await linkUnusedName(folder, temporary, stem)
        await syncFolder(folder)
        tidyAfterSave()
        return name
      } finally {
        await rm(temporary, { force: true })
      }
    },
    newest: async (limit) => (await names()).toReversed().slice(0, limit),
    read: async (name) => (NAME.test(name) ? readFile(join(folder, name)).catch(() => undefined) : undefined),
    async readStart(name, bytes) {
      if (!NAME.test(name)) return undefined
      const file = await open(join(folder, name)).catch(() => undefined)
      if (!file) return undefined
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    async tidy() {
      for (const name of await readdir(folder).catch(() => [])) {
        if (UNFINISHED.test(name)) await rm(join(folder, name), { force: true })
      }
      await dropOldest()
    },
  }
}

/** The name of a file survives a power cut only after its folder was synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a hard link, which never replaces a file, so that a mail that was sent twice is shown twice. */
async function linkUnusedName(folder: string, temporary: string, stem: string): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? `${stem}.eml` : `${stem}-${copy}.eml`
    try {
      await link(temporary, join(folder, name))
      return name
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function messageIdOf(mail: Buffer): string {
  const id = /^message-id:\s*<([^@>\s]+)/im.exec(mail.subarray(0, 16_384).toString('latin1'))?.[1] ?? 'mail'
  return id.replaceAll(/[^\w.-]/g, '_').slice(0, 120)
}
