import { once } from 'node:events'
import { z } from 'zod'
import { mailFolder } from './mail-folder.ts'
import { createMailPages } from './mail-pages.ts'
import { createMailReceiver } from './receive-mails.ts'

const port = z.coerce.number().int().positive()
const { SMTP_PORT, PORT, MAIL_DIR, MAILBOX_TOKEN } = z
  .object({ SMTP_PORT: port, PORT: port, MAIL_DIR: z.string().min(1), MAILBOX_TOKEN: z.string().min(16) })
  .parse(process.env)

const folder = mailFolder(MAIL_DIR)
await folder.tidy()
const receiver = createMailReceiver(folder)
const pages = createMailPages(folder, MAILBOX_TOKEN)
// A port that is taken ends it: whoever started it says so, and tries again.
await new Promise<void>((resolve, reject) => {
  receiver.once('error', reject)
  receiver.listen(SMTP_PORT, '127.0.0.1', resolve)
})
// A client that goes away in the middle is its own affair.
receiver.removeAllListeners('error')
receiver.on('error', (error) => console.error(error.message))
pages.listen(PORT, '127.0.0.1')
await once(pages, 'listening')
console.log(`mails to smtp://127.0.0.1:${SMTP_PORT} become files in ${MAIL_DIR}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    pages.close()
    pages.closeAllConnections()
    receiver.close(() => process.exit(0))
  })
}
