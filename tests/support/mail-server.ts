import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/**
 * Starts a mail server at a free port of this address of the machine.
 * @param keep gets each mail before it is acknowledged, so that a repeated mail is seen twice
 */
export async function startMailServer(
  options: SMTPServerOptions,
  keep: (mail: string) => void,
  host = '127.0.0.1',
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = new SMTPServer({
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        keep(Buffer.concat(parts).toString())
        done(null)
      })
    },
    ...options,
  })
  server.on('error', () => {}) // A client may close its connection at any time.
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address: AddressInfo | string | null = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return {
    port: address.port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
