import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/**
 * Starts a mail server at a free port of this address of the machine.
 * @param keep gets each mail before it is acknowledged, so that a repeated mail is seen twice
 */
export async function startMailServer(
  options: SMTPServerOptions,
  keep: (mail: Buffer) => unknown,
  host = '127.0.0.1',
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = new SMTPServer({
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, _session, done) {
      buffer(stream)
        .then(keep)
        .then(() => done(), done)
    },
    ...options,
  })
  server.on('error', () => {}) // A client may close its connection at any time.
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return {
    port: address.port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
