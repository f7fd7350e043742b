import type { ServerResponse } from 'node:http'
import { CONSOLE_TOPICS, isConsoleTopic, type ConsoleTopic, type Permission } from '@storefront/contracts'
import { every, liveGauge, type Log } from '@storefront/service'
import type { Timeouts } from '../front/timeouts.ts'
import { throttleTopics } from './throttle-topics.ts'

/** A message has about 40 bytes, so a client with more unread bytes than this has stopped reading. */
const MAX_UNREAD_BYTES = 4096

/** A person at a console who waits for updates. */
export interface Reader {
  userId: string
  sessionId: string
  permissions: readonly Permission[]
  /** Whether the session of this connection is still open. */
  isSignedIn: () => Promise<boolean>
}

export type LiveUpdates = ReturnType<typeof openLiveUpdates>

const connections = liveGauge<{ readonly size: number }>(
  { name: 'storefront_live_updates_connections', help: 'Consoles that receive live updates from this gateway' },
  (sources) => [{ value: sources.reduce((sum, { size }) => sum + size, 0) }],
)

/** The open connections of consoles. Each gets the topics that have changed, if its user may read them. */
export function openLiveUpdates(log: Log, { inAll, perUser, heartbeatMs, pauseMs }: Timeouts['updates']) {
  const open = new Map<ServerResponse, Reader>()
  const unwatch = connections.watch(open)
  const throttle = throttleTopics(sendToReaders, pauseMs)

  function sendToReaders(topic: ConsoleTopic): void {
    for (const [response, reader] of open) if (mayRead(reader, topic)) send(response, messageOf(topic))
  }

  async function checkSession(response: ServerResponse, reader: Reader): Promise<void> {
    if (await reader.isSignedIn()) send(response, HEARTBEAT)
    else response.end()
  }

  // The signal that a session has ended may get lost, and there is none when a token expires.
  const heartbeat = every(heartbeatMs, 'heartbeat of live updates', log, async () => {
    await Promise.all([...open].map(([response, reader]) => checkSession(response, reader)))
  })

  return {
    /** @returns which limit prevents another connection of this user */
    limitFor(userId: string): 'user' | 'gateway' | undefined {
      if (open.size >= inAll) return 'gateway'
      const own = [...open.values()].filter((reader) => reader.userId === userId)
      return own.length >= perUser ? 'user' : undefined
    },
    /** Sends updates from now on. The response has its headers already. */
    add(reader: Reader, response: ServerResponse) {
      open.set(response, reader)
      response.once('close', () => open.delete(response))
      send(response, HEARTBEAT)
      for (const topic of throttle.recent()) if (mayRead(reader, topic)) send(response, messageOf(topic))
    },
    /** Names that this version does not know are ignored. */
    changed(topics: readonly string[]) {
      for (const topic of topics) if (isConsoleTopic(topic)) throttle.changed(topic)
    },
    /** Changes may have been missed, so every console reloads everything. */
    allChanged() {
      for (const topic of ALL_TOPICS) throttle.changed(topic)
    },
    endSessions(sessionIds: readonly string[]) {
      const ended = new Set(sessionIds)
      for (const [response, { sessionId }] of open) if (ended.has(sessionId)) response.end()
    },
    /** Ends every connection, so that its console connects to another gateway. */
    async stop() {
      await heartbeat.stop()
      throttle.stop()
      for (const response of open.keys()) response.end()
      unwatch()
    },
  }
}

const ALL_TOPICS = Object.keys(CONSOLE_TOPICS).filter(isConsoleTopic)
/** A comment. Proxies close a connection on which nothing arrives. */
const HEARTBEAT = ':\n\n'

function messageOf(topic: ConsoleTopic): string {
  return `event: changed\ndata: ${topic}\n\n`
}

function mayRead({ permissions }: Reader, topic: ConsoleTopic): boolean {
  return permissions.includes(CONSOLE_TOPICS[topic])
}

/** Disconnects a client that does not read: it reloads everything when it connects again. */
function send(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
  else response.write(text)
}
