import { pino, type DestinationStream, type Logger, type LevelWithSilent } from 'pino'
import type { ServiceName } from '@storefront/contracts'

export type Log = Logger

/** Keys whose values never reach a log line, in the logged object and two levels below it. */
const SECRET_KEYS = [
  'password',
  'newPassword',
  'token',
  'accessToken',
  'authorization',
  'cookie',
  'secret',
  'passwordHash',
  'privateKey',
]

/** Bytes of lines that could not be written yet. */
const MAX_WAITING = 4 * 1024 ** 2

/** One for the process, because each writes to its file every 200 ms, even nothing, until the process ends. */
let stdout: DestinationStream | undefined

/**
 * A JSON logger. Lines for stdout are buffered and written in the background: a synchronous write for each request
 * would cost more than the request. pino flushes the buffer when the process exits.
 * @param destination stdout by default
 */
export function createLog(
  options: { service: ServiceName | 'test'; level: LevelWithSilent },
  destination: DestinationStream = (stdout ??= bufferedStdout()),
): Log {
  return pino(
    {
      level: options.level,
      base: { service: options.service, pid: process.pid },
      redact: {
        paths: [...SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), '*["set-cookie"]'],
        censor: '[redacted]',
      },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutCommand },
    },
    destination,
  )
}

/** ioredis adds the rejected command to its errors: among its arguments are the password and the values of a write. */
function withoutCommand(error: Error): object {
  const line = pino.stdSerializers.err(error)
  if (error instanceof Error) delete line['command']
  return line
}

function bufferedStdout(): DestinationStream {
  return survivingFaults(
    pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200, maxLength: MAX_WAITING }),
  )
}

/** A file that a log is added to, line by line. @param path its folder exists */
export function openLogFile(path: string): DestinationStream {
  return survivingFaults(pino.destination({ dest: path, sync: true, maxLength: MAX_WAITING }))
}

/**
 * A full disk must not end the service: lines wait until it has room again, and are lost beyond `MAX_WAITING`. At the
 * exit they are given up, because the library would try to write them for ever.
 */
function survivingFaults(destination: ReturnType<typeof pino.destination>): DestinationStream {
  let isFailing = false
  destination.on('error', () => (isFailing = true))
  destination.on('write', () => (isFailing = false))
  const flush = destination.flushSync.bind(destination)
  destination.flushSync = () => {
    if (!isFailing) flush()
  }
  return destination
}
