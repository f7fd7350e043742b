import { connect, type NatsConnection } from '@nats-io/transport-node'
import { inboxPrefix, REQUEST_TIMEOUT_MS, type ServiceName } from '@storefront/contracts'
import { type Log, natsConnected, DependencyUnavailable } from '@storefront/service'
import { natsAddress } from './nats-address.ts'

export interface Messaging {
  readonly namespace: string
  readonly service: ServiceName
  /** How long a request waits for its reply. Limits of single requests change in proportion. */
  readonly requestTimeoutMs: number
  /** Resolves at the first connection, which may be long after the start: a service can run without NATS. */
  readonly opened: Promise<NatsConnection>
  /** The open connection. @throws DependencyUnavailable while there is none */
  connection(): NatsConnection
  isConnected(): boolean
  /** Runs after every reconnection. */
  onReconnect(listener: () => void): void
  /** Runs when the service begins to stop. Resolves when all requests to this replica have got their reply. */
  onStopReplying(listener: () => Promise<void>): void
  /**
   * Leaves new requests to the other replicas. Resolves when those that arrived here have got their reply; the
   * connection stays open.
   */
  stopReplying(): Promise<void>
  /** Waits for the work in flight, then closes. */
  close(): Promise<void>
}

interface MessagingOptions {
  /** One server, or several with commas, which are tried in this order. */
  url: string
  service: ServiceName
  namespace: string
  log: Log
  /** 2 s by default. */
  requestTimeoutMs?: number
}

/** Pause between two attempts to connect for the first time. */
const RETRY_MS = 500
/** The shortest pause between two attempts to reconnect to a server, and the maximum that is added to it at random. */
const RECONNECT_MS = 250
const RECONNECT_JITTER_MS = 250
/**
 * A server that has not replied to two pings when the next one is due, after two to three seconds, is left: one on a lost
 * machine ends no connection, and every request to it would time out. Not after one, which a busy process may miss.
 */
const PING_MS = 1000
const MAX_PINGS_OUT = 2

/** Starts connecting to NATS and keeps trying for as long as the process lives. Returns at once. */
export function openMessaging({ url, service, namespace, log, requestTimeoutMs }: MessagingOptions): Messaging {
  const reconnectListeners: (() => void)[] = []
  const stopListeners: (() => Promise<void>)[] = []
  let current: NatsConnection | undefined
  let connected = false
  let closing = false

  const unwatch = natsConnected.watch({ isConnected: () => connected })
  const opened = keepTrying()
  opened.catch(() => {}) // Rejects only when closed before the first connection; then it is no longer awaited.

  async function keepTrying(): Promise<NatsConnection> {
    for (;;) {
      if (closing) throw new DependencyUnavailable('nats')
      try {
        const connection = await connectOnce(url, service)
        if (closing) {
          await connection.close()
          continue
        }
        current = connection
        connected = true
        void follow(connection, log, connectionChanged)
        return connection
      } catch (error) {
        log.warn({ err: error }, 'NATS cannot be reached; trying again')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  function connectionChanged(isConnected: boolean): void {
    connected = isConnected
    if (isConnected) for (const listener of reconnectListeners) listener()
  }

  return {
    namespace,
    service,
    requestTimeoutMs: requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    opened,
    connection() {
      if (!current || !connected) throw new DependencyUnavailable('nats')
      return current
    },
    isConnected: () => connected,
    onReconnect: (listener) => reconnectListeners.push(listener),
    onStopReplying: (listener) => stopListeners.push(listener),
    stopReplying: async () => void (await Promise.all(stopListeners.map((stop) => stop()))),
    async close() {
      closing = true
      unwatch()
      if (!current) return
      // Draining needs a server; without one there is nothing in flight that could still be saved.
      if (connected) await current.drain().catch(() => {})
      else await current.close()
    },
  }
}

function connectOnce(url: string, service: ServiceName): Promise<NatsConnection> {
  const address = natsAddress(url)
  return connect({
    ...address,
    name: service,
    // The first address may be a server on the same machine.
    noRandomize: true,
    inboxPrefix: inboxPrefix(service),
    timeout: 2000,
    maxReconnectAttempts: -1,
    // While a password is changed server by server some reject it: two rejections would close the connection for good.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: steadyPause(address.servers.length),
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
    noAsyncTraces: true,
  })
}

/**
 * Makes the pauses between attempts to reconnect. The client measures them by the time of day: when that is set back by
 * an hour, it would not reconnect for an hour. So each pause is measured by a clock that is never set, and at its
 * beginning every server gets one attempt without waiting.
 */
function steadyPause(servers: number): () => number {
  let attempts = 0
  let pauseMs = 0
  let beganMs = -Infinity
  return () => {
    const nowMs = performance.now()
    if (nowMs - beganMs >= pauseMs) {
      attempts = 0
      pauseMs = RECONNECT_MS + Math.random() * RECONNECT_JITTER_MS
      beganMs = nowMs
    }
    attempts++
    return attempts <= servers ? -Infinity : pauseMs
  }
}

/** Reports every loss of the connection and every reconnection. */
async function follow(connection: NatsConnection, log: Log, report: (isConnected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') {
      log.warn('the connection to NATS was lost; reconnecting')
      report(false)
    } else if (status.type === 'reconnect') {
      log.info('NATS is connected again')
      report(true)
    } else if (status.type === 'error') {
      log.warn({ err: status.error }, 'NATS reported an error')
    }
  }
  report(false)
}
