import { MINUTE_MS } from '@storefront/service'
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import type { Message } from './compose-message.ts'
import { connectToMailServer, type SmtpOptions } from './connect-to-mail-server.ts'
import type { MailServer } from './mail-server.ts'
import { CONNECTIONS, type SendResult } from './mail-transport.ts'
import { resultOfFailure } from './smtp-failure.ts'

/** The end of a message that is held back until the mail is marked as handed over. */
const TAIL_BYTES = 64
/** The time until the end of a message may be sent, as a multiple of the connection timeout. */
const TIMEOUT_BEFORE_THE_END = 6
/**
 * RFC 5321 requires a long timeout after the end of the data: a client that disconnects earlier does not know whether
 * the mail was accepted.
 */
const SILENCE_TIMEOUT_MS = 10 * MINUTE_MS
const IDLE_TIMEOUT_MS = 30_000

interface Pool {
  transporter: ReturnType<typeof connectionsTo>
  /** The server of these connections, with the password that they signed in with. */
  key: string
  /** Mails being sent. */
  sending: number
}

/**
 * Sends through mail servers. The end of a message is held back until `beforeEnd` is done: a server that never got the
 * end must discard the beginning, so until then the message can safely be sent again, and afterwards never.
 *
 * The stream that does so replaces nodemailer's own, which read ahead before the server has agreed to accept any data,
 * and are several. nodemailer must not resend on its own: it does not know what was recorded.
 */
export class SmtpTransport {
  readonly #options: SmtpOptions
  readonly #held = new Map<string, { bytes: Buffer; beforeEnd: () => Promise<void> }>()
  readonly #retired = new Set<Pool>()
  #current: Pool | undefined

  constructor(options: SmtpOptions) {
    this.#options = options
  }

  async send(server: MailServer, message: Message, beforeEnd: () => Promise<void>): Promise<SendResult> {
    const pool = this.#poolFor(server)
    const deadline = new AbortController()
    // A server that delays a mail without having its end is abandoned: the mail can be sent again.
    const timer = setTimeout(() => deadline.abort(), this.#options.timeoutMs * TIMEOUT_BEFORE_THE_END)
    pool.sending++
    try {
      return await this.#sendOver(pool.transporter, server, message, {
        signal: deadline.signal,
        beforeEnd: async () => {
          deadline.signal.throwIfAborted()
          clearTimeout(timer)
          await beforeEnd()
        },
      })
    } finally {
      clearTimeout(timer)
      pool.sending--
      if (pool.sending === 0) this.#retired.delete(pool)
    }
  }

  async sendNow(
    server: MailServer,
    message: Message,
    { deadlineMs, beforeEnd }: { deadlineMs: number; beforeEnd: () => Promise<void> },
  ): Promise<SendResult> {
    const transporter = this.#connectionsOf(server, false)
    try {
      return await this.#sendOver(transporter, server, message, { signal: AbortSignal.timeout(deadlineMs), beforeEnd })
    } finally {
      transporter.close()
    }
  }

  close(how: { force: boolean }): void {
    for (const pool of [...(this.#current ? [this.#current] : []), ...this.#retired]) pool.transporter.close(how)
  }

  #connectionsOf(server: MailServer, pooled: boolean) {
    const transporter = connectionsTo(server, this.#options, pooled)
    transporter.use('stream', (mail, done) => {
      const held = this.#held.get(String(mail.data.messageId))
      if (held) mail.message.createReadStream = () => Readable.from(holdBackTheEnd(held.bytes, held.beforeEnd))
      done(held ? null : new Error('a mail that is not marked before its end'))
    })
    return transporter
  }

  /**
   * Another server or password needs other connections; the previous ones finish what they are sending, and are
   * closed.
   */
  #poolFor(server: MailServer): Pool {
    const key = JSON.stringify(server)
    if (this.#current?.key === key) return this.#current
    if (this.#current) {
      this.#current.transporter.close({ force: false })
      if (this.#current.sending > 0) this.#retired.add(this.#current)
    }
    this.#current = { transporter: this.#connectionsOf(server, true), key, sending: 0 }
    return this.#current
  }

  async #sendOver(
    transporter: Pool['transporter'],
    server: MailServer,
    message: Message,
    sending: { signal: AbortSignal; beforeEnd: () => Promise<void> },
  ): Promise<SendResult> {
    this.#held.set(message.name, { bytes: message.bytes, beforeEnd: sending.beforeEnd })
    try {
      const info = await transporter.sendMail({
        messageId: message.name,
        envelope: { from: message.from, to: [message.to] },
        raw: message.bytes,
        signal: sending.signal,
      })
      return { kind: 'sent', answer: info.response }
    } catch (error) {
      return resultOfFailure(error, server)
    } finally {
      this.#held.delete(message.name)
    }
  }
}

function connectionsTo(server: MailServer, options: SmtpOptions, pooled: boolean) {
  const { timeoutMs } = options
  const { host, port, secure, auth } = server
  return createTransport({
    host,
    port,
    secure,
    ...(auth ? { auth } : {}),
    getSocket: (_options, callback) => {
      connectToMailServer(server, options).then(
        (connected) => callback(null, connected),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), undefined),
      )
    },
    pool: pooled,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
  })
}

/** All of a message at once except its end: mails are small. */
async function* holdBackTheEnd(bytes: Buffer, beforeEnd: () => Promise<void>) {
  const end = Math.max(0, bytes.length - TAIL_BYTES)
  yield bytes.subarray(0, end)
  await beforeEnd()
  yield bytes.subarray(end)
}
