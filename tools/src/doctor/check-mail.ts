import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { readProcesses } from '../processes-file.ts'
import { messageOf } from '../start-error.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, ok, warn, type Finding } from './finding.ts'

const DEADLINE_MS = 5000

/** Whether the mail server responds with its greeting. Sends nothing. */
export async function checkMail(context: DoctorContext): Promise<Finding> {
  const url = mailServerOf(context)
  if (url === undefined) {
    return warn(
      'mail server',
      'none is configured',
      'Set SMTP_URL, or enter a mail server in the settings of the shop: until then mails wait.',
    )
  }
  const { protocol, hostname, port: given } = new URL(url)
  const isTls = protocol === 'smtps:'
  const place = { host: hostname, port: Number(given || (isTls ? 465 : 587)) }
  const socket = isTls ? connectTls({ ...place, servername: hostname }) : connectTcp(place)
  try {
    const [greeting] = await once(socket, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) })
    if (/^220[ -]/.test(String(greeting))) return ok('mail server', 'greets')
    return fault('mail server', 'does not speak SMTP', 'Correct SMTP_URL: another program responds at that address.')
  } catch (error) {
    return fault(
      'mail server',
      `does not respond (${messageOf(error)})`,
      'Start the mail server or correct SMTP_URL: until then mails wait.',
    )
  } finally {
    socket.destroy()
  }
}

/**
 * SMTP_URL of this environment, else the mail server that the shop was started with, else the mailbox that it started
 * itself.
 */
function mailServerOf({ env, shop, addresses }: DoctorContext): string | undefined {
  const given = env['SMTP_URL'] || shop?.mailServerUrl
  if (given) return given
  const port = readProcesses(addresses.dataDir)['mailbox-smtp']?.port
  return port === undefined ? undefined : `smtp://127.0.0.1:${port}`
}
