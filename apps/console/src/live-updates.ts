import { isConsoleTopic, type ConsoleTopic } from '@storefront/contracts/console'
import type { QueryKey } from '@tanstack/react-query'
import { BASE_PATH } from './page-settings.ts'
import { isBeingSaved } from './parts/serialize-save.ts'
import { queryClient } from './query-client.ts'
import { fetchOfShop } from './shop.ts'

/** What is read again when the shop says that it has changed. */
const QUERIES: Record<ConsoleTopic, readonly QueryKey[]> = {
  orders: [['orders'], ['summary'], ['buyers']],
  attention: [['attention']],
  stock: [['stock'], ['low-stock']],
  imports: [['imports']],
  'bulk-edits': [['bulk-edits'], ['products', 'list']],
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** The shop sends something every 20 seconds. */
const MAX_SILENCE_MS = 45_000

/**
 * Keeps what is shown up to date for as long as the page is visible: a browser has few connections to one address, and a
 * hidden page needs none.
 * @returns a function that stops the updates
 */
export function followUpdates(): () => void {
  const refresh = oneAtATime(readAgain)
  /** Whether updates may have been missed. */
  let hasGap = false
  let current = new AbortController()

  function connected(): void {
    if (hasGap) for (const topic of Object.keys(QUERIES)) refresh(topic)
    hasGap = false
  }

  function disconnected(): void {
    hasGap = true
  }

  function followWhileVisible(): void {
    current.abort()
    current = new AbortController()
    if (document.visibilityState !== 'visible') disconnected()
    else void stayConnected(current.signal, { connected, disconnected, changed: refresh })
  }

  document.addEventListener('visibilitychange', followWhileVisible)
  followWhileVisible()
  return () => {
    document.removeEventListener('visibilitychange', followWhileVisible)
    current.abort()
  }
}

interface Follower {
  connected: () => void
  /** Called also when an attempt to connect fails. */
  disconnected: () => void
  changed: (topic: string) => void
}

async function stayConnected(signal: AbortSignal, { connected, disconnected, changed }: Follower): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      const response = await connect(signal)
      if (response.ok) {
        failures = 0
        connected()
        await receive(response, changed)
      }
    } catch {
      // The connection was lost. It is opened again without a message.
    }
    disconnected()
    await pause(failures, signal)
    failures += 1
  }
}

function connect(signal: AbortSignal): Promise<Response> {
  return fetchOfShop(new Request(`${location.origin}${BASE_PATH}/admin/console/updates`, { signal, cache: 'no-store' }))
}

/** Reads messages until the shop ends the connection, or nothing arrives for too long. */
async function receive({ body }: Response, changed: (topic: string) => void): Promise<void> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let unread = ''
  while (reader) {
    const silence = setTimeout(() => void reader.cancel(), MAX_SILENCE_MS)
    const { value, done } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const messages = (unread + value).split('\n\n')
    unread = messages.pop() ?? ''
    for (const message of messages) {
      const topic = /^data: (.+)$/m.exec(message)?.[1]
      if (topic !== undefined) changed(topic)
    }
  }
}

/** Waits longer after each failure, for a random time so that consoles do not reconnect all at once. */
async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
  const ms = longest * (0.5 + Math.random() / 2)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

async function readAgain(topic: string): Promise<void> {
  if (!isConsoleTopic(topic)) return
  const settled = QUERIES[topic].filter((queryKey) => !isBeingSaved(queryKey))
  await Promise.all(settled.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Reads a topic again only after the read under way: a new one would cancel it, and changes would stay hidden. */
function oneAtATime(work: (topic: string) => Promise<void>): (topic: string) => void {
  const running = new Set<string>()
  const again = new Set<string>()

  async function start(topic: string): Promise<void> {
    if (running.has(topic)) {
      again.add(topic)
      return
    }
    running.add(topic)
    await work(topic)
    running.delete(topic)
    if (again.delete(topic)) await start(topic)
  }
  return (topic) => void start(topic)
}
