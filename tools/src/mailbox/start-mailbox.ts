import { once } from 'node:events'
import type { Stoppable } from '@storefront/service'
import { mailFolder } from './mail-folder.ts'
import { createMailPages } from './mail-pages.ts'
import type { MailboxPorts } from './mailbox-command.ts'
import { createMailReceiver } from './receive-mails.ts'

/**
 * Starts the mail server of a shop for which SMTP_URL is not set, and the pages that show its mails.
 * @param options.mailDir the folder of the mails
 * @param options.token required by the pages
 * @throws Error when a port is in use
 */
export async function startMailbox(
  ports: MailboxPorts,
  { mailDir, token }: { mailDir: string; token: string },
): Promise<Stoppable> {
  const folder = mailFolder(mailDir)
  await folder.tidy()
  const receiver = createMailReceiver(folder)
  const pages = createMailPages(folder, token)
  await new Promise<void>((resolve, reject) => {
    receiver.once('error', reject)
    receiver.listen(ports.smtp, ports.smtpHost ?? '127.0.0.1', resolve)
  })
  // A client that closes its connection is not an error of the mailbox.
  receiver.removeAllListeners('error')
  receiver.on('error', (error) => console.error(error.message))
  pages.listen(ports.pages, '127.0.0.1')
  await once(pages, 'listening')
  return {
    async stop() {
      pages.close()
      pages.closeAllConnections()
      await new Promise<void>((resolve) => receiver.close(() => resolve()))
    },
  }
}
