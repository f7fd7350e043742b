import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailTransport } from './mail-transport.ts'

/** Writes mails as `.eml` files. The name follows from the event, so a repeat replaces the same file with the same text. */
export function createFileTransport(directory: string): MailTransport {
  return {
    async send(message) {
      const temporary = join(directory, `.${randomUUID()}.tmp`)
      try {
        await mkdir(directory, { recursive: true })
        const file = await open(temporary, 'w', 0o600)
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
