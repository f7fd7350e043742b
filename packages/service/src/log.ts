import { pino, type DestinationStream, type Logger, type LevelWithSilent } from 'pino'
import type { ServiceName } from '@storefront/contracts'

export type Log = Logger

/** Keys whose values never reach a log line, however deep the object that carries them is nested. */
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
        paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`, `*["set-cookie"]`]),
        censor: '[redacted]',
      },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}

function bufferedStdout(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200 })
}

/** A file that a log is added to, line by line. @param path its folder exists */
export function openLogFile(path: string): DestinationStream {
  return pino.destination({ dest: path, sync: true })
}
