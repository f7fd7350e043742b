import { join, resolve } from 'node:path'
import type { Command } from '../infrastructure/child-process.ts'
import { compileCacheDir, programFile } from '../service-command.ts'

export interface MailboxPorts {
  /** Port of the pages that show the mails. */
  pages: number
  smtp: number
}

const repository = resolve(import.meta.dirname, '../../..')

/**
 * The command of the mail server of a shop for which SMTP_URL is not set.
 * @param options.mailDir the folder of the received mails
 * @param options.token required by the pages that show the mails
 * @param cacheDir the folder of cached files; several data folders may share it
 * @param programs the folder that `buildPrograms` returned; without it the sources run
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
