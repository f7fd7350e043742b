import { z } from 'zod'
import { startMailbox } from './start-mailbox.ts'

const port = z.coerce.number().int().positive()
const { SMTP_HOST, SMTP_PORT, PORT, MAIL_DIR, MAILBOX_TOKEN } = z
  .object({
    SMTP_HOST: z.string().default('127.0.0.1'),
    SMTP_PORT: port,
    PORT: port,
    MAIL_DIR: z.string().min(1),
    MAILBOX_TOKEN: z.string().min(16),
  })
  .parse(process.env)

const mailbox = await startMailbox(
  { pages: PORT, smtp: SMTP_PORT, smtpHost: SMTP_HOST },
  { mailDir: MAIL_DIR, token: MAILBOX_TOKEN },
)
console.log(`mails sent to smtp://${SMTP_HOST}:${SMTP_PORT} are stored in ${MAIL_DIR}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void mailbox.stop().then(() => process.exit(0)))
}
