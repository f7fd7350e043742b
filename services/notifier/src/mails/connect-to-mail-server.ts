import { connect, isIP, type Socket } from 'node:net'
import { PrivateAddressRejected, publicLookup, type ResolveName } from '@storefront/http'
import type { MailServer } from './mail-server.ts'

export interface SmtpOptions {
  /** Whether a merchant's mail server may be in the network of the shop. */
  allowPrivate: boolean
  /** Whether an address is on this machine or in its network. */
  isPrivate: (address: string) => boolean
  /** The timeouts for connecting and for the greeting. */
  timeoutMs: number
  /** Resolves the name of a merchant's mail server. */
  resolve: ResolveName
}

interface MailConnection {
  connection: Socket
  /** Without TLS nothing is sent. */
  requireTLS: boolean
  tls: { rejectUnauthorized: boolean }
}

/** The mail server did not accept the connection. */
class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * Connects to a mail server. A merchant's must be public: its name is resolved once, and the checked address is
 * connected to.
 *
 * A password goes to another network only through TLS. On this machine and its network it may go without, and there
 * STARTTLS is accepted with any certificate: it is better than no TLS, which would be allowed as well. TLS from the
 * first byte is an explicit choice: then the certificate must be valid wherever the server is.
 */
export async function connectToMailServer(server: MailServer, options: SmtpOptions): Promise<MailConnection> {
  const { host, port, secure, auth } = server
  const isGuarded = !server.isOperators && !options.allowPrivate
  // A literal IP address is connected to without resolving.
  if (isGuarded && isIP(host) !== 0 && options.isPrivate(host)) throw new PrivateAddressRejected(host)
  const connection = connect({
    host,
    port,
    autoSelectFamily: true,
    ...(isGuarded ? { lookup: publicLookup(options.resolve) } : {}),
  })
  const timer = setTimeout(
    () => connection.destroy(new ConnectTimeout('the mail server does not respond')),
    options.timeoutMs,
  )
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('connect', resolve)
      connection.once('error', reject)
    })
  } finally {
    clearTimeout(timer)
  }
  // The caller adds its own error handler later; an error before that must not end the process.
  connection.on('error', () => {})
  const isLocal = options.isPrivate(connection.remoteAddress ?? '')
  return {
    connection,
    requireTLS: auth !== undefined && !isLocal,
    tls: { rejectUnauthorized: secure || !isLocal },
  }
}
