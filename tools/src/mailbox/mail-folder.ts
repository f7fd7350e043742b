import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Mails of the development shop that are kept; older ones go at the start, and while more come. */
const KEPT = 10_000
const TIDY_AFTER = 500
/** What a mailbox leaves behind that dies while it writes. */
const UNFINISHED = /^\.[\w-]{36}\.tmp$/
const NAME = /^[\w.-]{1,200}\.eml$/

export interface MailFolder {
  /** Stores a mail for good: it survives a power cut from here on. A repeat is another file. @returns the file's name */
  save(mail: Buffer): Promise<string>
  /** Names of the newest mails, newest first. */
  newest(limit: number): Promise<string[]>
  /** @returns undefined when there is no such mail */
  read(name: string): Promise<Buffer | undefined>
  /** The first bytes of a mail, which hold its headers. @returns undefined when there is no such mail */
  readStart(name: string, bytes: number): Promise<Buffer | undefined>
  /** Removes all but the newest mails, and unfinished files. No mail may be saved meanwhile. */
  tidy(): Promise<void>
}

/**
 * Keeps mails as `.eml` files, which every mail program opens, named after the time and the Message-ID.
 * @param options.kept how many of them; the oldest go
 */
export function mailFolder(folder: string, { kept = KEPT, tidyAfter = TIDY_AFTER } = {}): MailFolder {
  let sinceTidied = 0
  let tidying: Promise<void> | undefined
  const names = async (): Promise<string[]> =>
    (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted()

  async function dropOldest(): Promise<void> {
    for (const name of (await names()).slice(0, -kept)) await rm(join(folder, name), { force: true })
  }

  function tidyNowAndThen(): void {
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
        const file = await open(temporary, 'wx', 0o600)
        try {
          await file.writeFile(mail)
          await file.sync()
        } finally {
          await file.close()
        }
        const stem = `${new Date().toISOString().replaceAll(':', '-')}-${messageIdOf(mail)}`
        const name = await nameIt(folder, temporary, stem)
        await syncFolder(folder)
        tidyNowAndThen()
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

/** A name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A link never replaces a file: what was sent twice shows twice. */
async function nameIt(folder: string, temporary: string, stem: string): Promise<string> {
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
