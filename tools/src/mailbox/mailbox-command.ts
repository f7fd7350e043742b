import { join, resolve } from 'node:path'
import type { Command } from '../infrastructure/child-process.ts'
import { compileCacheDir, programFile } from '../service-command.ts'

export interface MailboxPorts {
  /** Of the pages that show the mails. */
  pages: number
  smtp: number
}

const repository = resolve(import.meta.dirname, '../../..')

/**
 * How the mail server of a shop runs that was given none.
 * @param options.mailDir holds what it took
 * @param options.token opens the pages that show it
 * @param cacheDir what outlives a start; several data folders may share it
 * @param programs what `buildPrograms` returned; without it the sources run
 */
export function mailboxCommand(
  { pages, smtp }: MailboxPorts,
  { mailDir, token }: { mailDir: string; token: string },
  cacheDir: string,
  programs?: string,
): Command {
  return {
    file: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=4',
      programFile(join('tools', 'src', 'mailbox', 'main.ts'), programs),
    ],
    cwd: repository,
    env: {
      NODE_COMPILE_CACHE: compileCacheDir(cacheDir),
      PORT: String(pages),
      SMTP_PORT: String(smtp),
      MAIL_DIR: mailDir,
      MAILBOX_TOKEN: token,
    },
  }
}
