import type { NotificationSettings } from '@storefront/contracts'
import { mailServerFor, type MailServer } from './mail-server.ts'
import type { MailTransport, SendResult } from './mail-transport.ts'
import { PasswordWithheld, type smtpPassword } from './smtp-password.ts'
import { createSmtpTransport, type SmtpOptions } from './smtp-transport.ts'

const NO_SERVER = 'no mail server is set: name one in notifications.smtp, or in SMTP_URL'

/**
 * Sends each mail the way that is in force when it is sent: through the merchant's mail server, or the operator's.
 * @param options.password asked before every mail
 */
export function chooseTransport(
  options: SmtpOptions & { smtpUrl: string | undefined; password: ReturnType<typeof smtpPassword> },
): MailTransport {
  const { smtpUrl, password } = options
  const smtp = createSmtpTransport(options)
  const serverFor = ({ smtp: named }: NotificationSettings) => mailServerFor(named, smtpUrl)

  /** Nothing is said to a server before it is certain that it may have the password. */
  async function sendBy(
    settings: NotificationSettings,
    send: (server: MailServer) => Promise<SendResult>,
  ): Promise<SendResult> {
    const server = serverFor(settings)
    if (!server) return { kind: 'broken', answer: NO_SERVER }
    if (!server.auth) return send(server)
    try {
      const pass = (await password.passwordFor(server)) ?? server.auth.pass
      return await send({ ...server, auth: { ...server.auth, pass } })
    } catch (error) {
      const answer = error instanceof PasswordWithheld ? error.message : 'whose password it is cannot be read for now'
      return { kind: 'broken', answer }
    }
  }

  return {
    concurrency: smtp.concurrency,
    claimGapMs: smtp.claimGapMs,
    hasServer: (settings) => serverFor(settings) !== undefined,
    isPasswordBound: password.isBound,
    async bindPassword(settings) {
      const server = serverFor(settings)
      if (!server?.auth) return
      await password.passwordFor(server).catch((error: unknown) => {
        if (!(error instanceof PasswordWithheld)) throw error
      })
    },
    send: (message, settings, handOver) => sendBy(settings, (server) => smtp.send(server, message, handOver)),
    sendNow: (message, settings, sending) => sendBy(settings, (server) => smtp.sendNow(server, message, sending)),
    close: (how) => smtp.close(how),
  }
}
