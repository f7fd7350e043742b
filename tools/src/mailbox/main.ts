import { z } from 'zod'
import { startMailbox } from './start-mailbox.ts'

const port = z.coerce.number().int().positive()
const { SMTP_PORT, PORT, MAIL_DIR, MAILBOX_TOKEN } = z
  .object({ SMTP_PORT: port, PORT: port, MAIL_DIR: z.string().min(1), MAILBOX_TOKEN: z.string().min(16) })
  .parse(process.env)

const mailbox = await startMailbox({ pages: PORT, smtp: SMTP_PORT }, { mailDir: MAIL_DIR, token: MAILBOX_TOKEN })
console.log(`mails sent to smtp://127.0.0.1:${SMTP_PORT} are stored in ${MAIL_DIR}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void mailbox.stop().then(() => process.exit(0)))
}
