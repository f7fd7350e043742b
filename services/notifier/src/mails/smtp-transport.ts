import { Readable } from 'node:stream'
import { createTransport, type NodemailerError } from 'nodemailer'
import type { MailTransport, SendResult } from './mail-transport.ts'

/** What is held back of a message until the hand-over is on record. */
const TAIL_BYTES = 64
const CONNECT_TIMEOUT_MS = 10_000
/** RFC 5321 wants patience after the end of the data: whoever leaves earlier does not know whether it was taken. */
const SILENCE_TIMEOUT_MS = 10 * 60 * 1000
const IDLE_TIMEOUT_MS = 30_000
/** Connections to the mail server, each with one mail under way. */
const CONNECTIONS = 4
/** Two mails that end together make room for one claim of two. */
const CLAIM_GAP_MS = 20

interface Pool {
  transporter: ReturnType<typeof connectionsTo>
  password: string | undefined
  /** Mails under way. */
  sending: number
}

/**
 * Sends through a mail server. The end of a message is held back until `handOver` is done: a server that never saw the
 * end must discard what came before, so until then the message can safely be sent again, and afterwards never.
 *
 * The stream that does so is attached behind nodemailer's own, because those read ahead before the server has agreed
 * to take any data. nodemailer must not resend by itself: it does not know what was recorded.
 *
 * @param password takes the place of the one in the address while it gives one; asked before every mail
 */
export function createSmtpTransport(
  smtpUrl: string,
  password: () => string | undefined = () => undefined,
): MailTransport {
  const handOvers = new Map<string, () => Promise<void>>()
  const retired = new Set<Pool>()
  let current = openPool()

  function openPool(): Pool {
    const handedOver = password()
    const transporter = connectionsTo(smtpUrl, handedOver)
    transporter.use('stream', (mail, done) => {
      const handOver = handOvers.get(String(mail.data.messageId))
      if (handOver) mail.message.processFunc((input) => Readable.from(holdBackTheEnd(input, handOver)))
      done(handOver ? null : new Error('a mail without a hand-over'))
    })
    return { transporter, password: handedOver, sending: 0 }
  }

  /** The connections of a pool have signed in with its password: a new one needs a new pool. */
  function poolForNow(): Pool {
    if (current.password === password()) return current
    // It finishes what it is sending.
    current.transporter.close({ force: false })
    if (current.sending > 0) retired.add(current)
    current = openPool()
    return current
  }

  return {
    concurrency: CONNECTIONS,
    claimGapMs: CLAIM_GAP_MS,
    async send(message, handOver) {
      const pool = poolForNow()
      handOvers.set(message.name, handOver)
      pool.sending++
      try {
        const info = await pool.transporter.sendMail({
          messageId: message.name,
          envelope: { from: message.from, to: [message.to] },
          raw: message.bytes,
        })
        return { kind: 'sent', answer: info.response }
      } catch (error) {
        return resultOf(error)
      } finally {
        handOvers.delete(message.name)
        pool.sending--
        if (pool.sending === 0) retired.delete(pool)
      }
    },
    close(options) {
      for (const pool of [current, ...retired]) pool.transporter.close(options)
    },
  }
}

function connectionsTo(smtpUrl: string, password: string | undefined) {
  return createTransport({
    ...serverOf(smtpUrl, password),
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
  })
}

/** All of a message at once but for its end: mails are small. */
async function* holdBackTheEnd(input: AsyncIterable<Uint8Array>, handOver: () => Promise<void>) {
  const parts: Uint8Array[] = []
  for await (const part of input) parts.push(part)
  const bytes = Buffer.concat(parts)
  const end = Math.max(0, bytes.length - TAIL_BYTES)
  yield bytes.subarray(0, end)
  await handOver()
  yield bytes.subarray(end)
}

/** Codes of nodemailer that stand for an answer to this mail; a refused greeting or sign-in says nothing about it. */
const ABOUT_THE_MAIL: readonly (string | undefined)[] = ['EENVELOPE', 'EMESSAGE']

/** Only a refusal in figures is an answer; everything else leaves open what the server did. */
function resultOf(error: unknown): SendResult {
  const failure: NodemailerError = error instanceof Error ? error : new Error(String(error))
  const answer = failure.response ?? failure.message
  if (failure.responseCode === undefined || failure.responseCode < 400) return { kind: 'broken', answer }
  return { kind: 'refused', permanent: failure.permanent === true && ABOUT_THE_MAIL.includes(failure.code), answer }
}

function serverOf(smtpUrl: string, password: string | undefined) {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(user === '' ? {} : { auth: { user, pass: password ?? decodeURIComponent(url.password) } }),
  }
}
