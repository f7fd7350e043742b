import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { portOf } from './setting.ts'

export interface MailServer {
  url: string
  port: number
  /** The number of messages of which some data arrived. */
  started: number
  /** Complete messages, as they arrived. */
  seen: string[]
  /** Messages that the server accepted. */
  taken: string[]
  /** The number of messages that were cut off in the middle. */
  broken: number
  /** Breaks every connection without notice, as a power cut does. */
  cut(): void
  stop(): Promise<void>
}

type SmtpError = Error & { responseCode?: number }

export function smtpError(responseCode: number, message: string): SmtpError {
  return Object.assign(new Error(message), { responseCode })
}

export interface MailServerHooks {
  /** Requires a name and a password and accepts none. */
  rejectSignIn?: boolean
  /** Requires a name and a password and accepts the right one. */
  acceptsPassword?: (password: string | null | undefined) => boolean
  /** Offers STARTTLS, or uses TLS from the first byte; its certificate is invalid. */
  tls?: 'offered' | 'always'
  /** Called before the greeting: an error replaces it. */
  greeting?: () => Promise<SmtpError | undefined>
  /** Called before a sender is accepted: an error rejects it. */
  sender?: () => Promise<SmtpError | undefined>
  /** Called before a recipient is accepted: an error rejects it. */
  recipient?: () => Promise<SmtpError | undefined>
  /** Called at the end of a message, before it is accepted: an error rejects it. */
  message?: (count: number) => Promise<SmtpError | undefined>
}

/** The subjects of the messages that a server accepted. */
export const subjectsOf = ({ taken }: Pick<MailServer, 'taken'>) =>
  taken.map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim())

/** Decodes the line breaks and characters of a quoted-printable message. */
export const readable = (message = '') =>
  message
    .replaceAll('=\r\n', '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

/** Starts a real SMTP server on a free port. */
export async function createMailServer(hooks: MailServerHooks = {}, port = 0): Promise<MailServer> {
  const kept: Pick<MailServer, 'started' | 'seen' | 'taken' | 'broken'> = { started: 0, seen: [], taken: [], broken: 0 }
  const signsIn = hooks.rejectSignIn === true || hooks.acceptsPassword !== undefined
  const options: SMTPServerOptions = {
    secure: hooks.tls === 'always',
    disabledCommands: [...(hooks.tls === 'offered' ? [] : ['STARTTLS']), ...(signsIn ? [] : ['AUTH'])],
    onConnect(_session, done) {
      if (hooks.greeting) void hooks.greeting().then((error) => done(error))
      else done()
    },
    onMailFrom(_address, _session, done) {
      if (hooks.sender) void hooks.sender().then((error) => done(error))
      else done()
    },
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (hooks.acceptsPassword?.(password) === true) done(null, { user: username })
      else done(smtpError(535, 'wrong password'))
    },
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      if (hooks.recipient) void hooks.recipient().then((error) => done(error))
      else done()
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.once('data', () => kept.started++)
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const text = Buffer.concat(parts).toString()
        kept.seen.push(text)
        const decision = hooks.message ? hooks.message(kept.seen.length) : Promise.resolve(undefined)
        void decision.then((error) => {
          if (error) return done(error)
          kept.taken.push(text)
          done(null)
        })
      })
      // The stream closes early when the client disconnects before the end of the data.
      stream.on('close', () => {
        if (!stream.readableEnded) kept.broken++
      })
    },
  }
  const server = new SMTPServer(options)
  server.on('error', () => {})
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const listening = portOf(server.server.address())
  return Object.assign(kept, {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    cut() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** The mail servers of a test file: `mailServer` starts one, `stopMailServers` breaks and stops all of them. */
export function createMailServers() {
  const servers: MailServer[] = []
  return {
    mailServer: async (hooks: MailServerHooks = {}, port = 0): Promise<MailServer> => {
      const server = await createMailServer(hooks, port)
      servers.push(server)
      return server
    },
    stopMailServers: async (): Promise<void> => {
      for (const server of servers.splice(0)) {
        server.cut()
        await server.stop()
      }
    },
  }
}
