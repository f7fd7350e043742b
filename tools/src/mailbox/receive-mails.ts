import { SMTPServer } from 'smtp-server'
import type { MailFolder } from './mail-folder.ts'

const LARGEST_BYTES = 10 * 1024 * 1024
const MAX_CLIENTS = 50

/** Accepts every mail that is sent on this machine. A mail is accepted only when it is on the disk. */
export function createMailReceiver(folder: MailFolder): SMTPServer {
  return new SMTPServer({
    banner: 'mailbox of a development shop',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST_BYTES,
    maxClients: MAX_CLIENTS,
    closeTimeout: 2_000,
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      let bytes = 0
      stream.on('data', (part: Buffer) => {
        bytes += part.length
        // A mail that is too large is read to its end before it is rejected, as the protocol requires.
        if (bytes <= LARGEST_BYTES) parts.push(part)
      })
      stream.on('end', () => {
        if (bytes > LARGEST_BYTES) return done(Object.assign(new Error('too large'), { responseCode: 552 }))
        folder.save(Buffer.concat(parts)).then(
          () => done(),
          (error: unknown) => {
            console.error(error)
            done(Object.assign(new Error('the mail could not be stored'), { responseCode: 451 }))
          },
        )
      })
    },
  })
}
