import type { NodemailerError } from 'nodemailer'
import type { MailServer } from './mail-server.ts'
import type { SendResult } from './mail-transport.ts'

/** What the system says of a connection, without the address that a name stands for. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the mail server refuses connections',
  ECONNRESET: 'the mail server broke off the connection',
  EPIPE: 'the mail server broke off the connection',
  ETIMEDOUT: 'the mail server does not answer in time',
  EHOSTUNREACH: 'the mail server cannot be reached',
  ENETUNREACH: 'the mail server cannot be reached',
  ENOTFOUND: 'there is no mail server of this name',
  EAI_AGAIN: 'the name of the mail server cannot be looked up for now',
}

/** Commands whose refusal is about this mail. A refused greeting, sign-in or sender would meet every other one as well. */
const ABOUT_THE_MAIL: readonly (string | undefined)[] = ['RCPT TO', 'DATA']
/** Nobody has this address. Where the server adds a reason in figures (RFC 3463), that counts. */
const NO_SUCH_ADDRESS: readonly number[] = [550, 551, 553]

/** Only a refusal in figures is an answer; everything else leaves open what the server did. */
export function resultOfFailure(error: unknown, { auth }: Pick<MailServer, 'auth'>): SendResult {
  const failure: NodemailerError = error instanceof Error ? error : new Error(String(error))
  const { response, responseCode, command } = failure
  const answer = withoutPassword(response ?? describe(failure), auth?.pass)
  if (responseCode === undefined || responseCode < 400) return { kind: 'broken', answer }
  const permanent = failure.permanent === true && ABOUT_THE_MAIL.includes(command)
  return { kind: 'refused', permanent, bounced: permanent && command === 'RCPT TO' && isUnknown(answer), answer }
}

function isUnknown(answer: string): boolean {
  const [, code, reason] = /^(\d{3})(?:[ -](\d\.\d{1,3})\.\d{1,3}\b)?/.exec(answer) ?? []
  return reason === undefined ? NO_SUCH_ADDRESS.includes(Number(code)) : reason === '5.1'
}

function describe(failure: NodemailerError): string {
  if (failure.name === 'AbortError' || failure.name === 'TimeoutError') return `ETIMEDOUT: ${REASONS['ETIMEDOUT']}`
  const code = [failure.originalCode, failure.code].find((each) => each !== undefined && each in REASONS)
  if (code !== undefined) return `${code}: ${REASONS[code]}`
  // Whatever else the system says may hold an address.
  return failure.syscall === undefined ? failure.message : `${failure.code}: the connection to the mail server failed`
}

/** A server that repeats what it was given must not bring the password into the log of mails. */
function withoutPassword(answer: string, password: string | undefined): string {
  if (!password) return answer
  return [password, Buffer.from(password).toString('base64')].reduce(
    (text, secret) => text.replaceAll(secret, '[left out]'),
    answer,
  )
}
