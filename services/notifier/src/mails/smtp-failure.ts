import type { NodemailerError } from 'nodemailer'
import type { MailServer } from './mail-server.ts'
import type { SendResult } from './mail-transport.ts'

/** The system's error of a connection, without the address behind a name. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the mail server refuses connections',
  ECONNRESET: 'the mail server closed the connection',
  EPIPE: 'the mail server closed the connection',
  ETIMEDOUT: 'the mail server does not respond in time',
  EHOSTUNREACH: 'the mail server cannot be reached',
  ENETUNREACH: 'the mail server cannot be reached',
  ENOTFOUND: 'the name of the mail server does not exist',
  EAI_AGAIN: 'the name of the mail server cannot be resolved at the moment',
}

/**
 * Commands whose rejection is about this mail. A rejected greeting, sign-in or sender would affect every other one as
 * well.
 */
const ABOUT_THE_MAIL: readonly (string | undefined)[] = ['RCPT TO', 'DATA']
/** The address does not exist. If the server adds an enhanced status code (RFC 3463), that counts. */
const NO_SUCH_ADDRESS: readonly number[] = [550, 551, 553]

/** Only a rejection with a status code is a response; after any other error the server's action is unknown. */
export function resultOfFailure(error: unknown, { auth }: Pick<MailServer, 'auth'>): SendResult {
  const failure: NodemailerError = error instanceof Error ? error : new Error(String(error))
  const { response, responseCode, command } = failure
  const reply = withoutPassword(response ?? describe(failure), auth)
  if (responseCode === undefined || responseCode < 400) return { kind: 'broken', answer: reply }
  const permanent = failure.permanent === true && ABOUT_THE_MAIL.includes(command)
  return { kind: 'rejected', permanent, bounced: permanent && command === 'RCPT TO' && isUnknown(reply), answer: reply }
}

function isUnknown(reply: string): boolean {
  const [, code, reason] = /^(\d{3})(?:[ -](\d\.\d{1,3})\.\d{1,3}\b)?/.exec(reply) ?? []
  return reason === undefined ? NO_SUCH_ADDRESS.includes(Number(code)) : reason === '5.1'
}

function describe(failure: NodemailerError): string {
  if (failure.name === 'AbortError' || failure.name === 'TimeoutError') return `ETIMEDOUT: ${REASONS['ETIMEDOUT']}`
  const code = [failure.originalCode, failure.code].find((each) => each !== undefined && each in REASONS)
  if (code !== undefined) return `${code}: ${REASONS[code]}`
  // Other system errors may contain an address.
  return failure.syscall === undefined ? failure.message : `${failure.code}: the connection to the mail server failed`
}

/** Removes the password from a reply that repeats it, because the log of mails must not contain it. */
function withoutPassword(reply: string, auth: MailServer['auth']): string {
  if (!auth?.pass) return reply
  const { user, pass } = auth
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  // As AUTH PLAIN and AUTH LOGIN send it. The longest first: a short password may be a part of the other forms.
  return [base64(`\0${user}\0${pass}`), base64(pass), pass].reduce(
    (text, secret) => text.replaceAll(secret, '[left out]'),
    reply,
  )
}
