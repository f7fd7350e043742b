import { resolve } from 'node:path'
import type { Command } from '../infrastructure/child-process.ts'
import type { Programs } from '../programs/build-programs.ts'

export interface MailboxPorts {
  /** Port of the pages that show the mails. */
  pages: number
  smtp: number
  /** The address at which mails are accepted; 127.0.0.1 by default. */
  smtpHost?: string
}

const repository = resolve(import.meta.dirname, '../../..')

/**
 * The command of the mail server of a shop for which SMTP_URL is not set.
 * @param options.mailDir the folder of the received mails
 * @param options.token required by the pages that show the mails
 */
export function mailboxCommand(
  { pages, smtp, smtpHost }: MailboxPorts,
  { mailDir, token }: { mailDir: string; token: string },
  programs: Programs,
): Command {
  return {
    file: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=4',
      programs.fileOf('tools/src/mailbox/main.ts'),
    ],
    cwd: repository,
    env: {
      NODE_COMPILE_CACHE: programs.compileCache,
      PORT: String(pages),
      SMTP_PORT: String(smtp),
      ...(smtpHost !== undefined && { SMTP_HOST: smtpHost }),
      MAIL_DIR: mailDir,
      MAILBOX_TOKEN: token,
    },
  }
}
