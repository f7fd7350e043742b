import { OPENS_AFTER } from './circuit.ts'
import type { ClaimedDelivery } from './claims.queries.ts'

/** Concurrent deliveries to one endpoint: a slow one fills only its own queue. */
const CONCURRENCY = 8
/** The maximum number of claims for one endpoint, running or waiting: a busy database must not leave the queue idle. */
export const QUEUE_SIZE = 16 * CONCURRENCY

export interface Claim extends ClaimedDelivery {
  /** What it says about its endpoint is not older, of `performance.now()`. */
  beganMs: number
  /** Endpoint data that was cached before this time may be out of date for it. */
  claimedAtMs: number
}

interface EndpointQueue {
  waiting: Claim[]
  running: number
  /** Nothing more may be sent: waiting claims are released. */
  isClosed: boolean
  /** In a row, as seen by this replica. When they suffice to open a circuit, sending stops until they are written. */
  failures: number
}

/** The claimed deliveries of this replica, by endpoint. @param deliver sends one delivery, and never rejects */
export function createEndpointQueues(deliver: (claim: Claim) => Promise<void>) {
  const queues = new Map<string, EndpointQueue>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  function queueOf(endpointId: string): EndpointQueue {
    const queue = queues.get(endpointId) ?? { waiting: [], running: 0, isClosed: false, failures: 0 }
    queues.set(endpointId, queue)
    return queue
  }

  /** Starts waiting deliveries as far as there is room. */
  function fill(endpointId: string): void {
    const queue = queues.get(endpointId)
    while (queue && !isStopped && !queue.isClosed) {
      const hasRoom = queue.running < CONCURRENCY && queue.failures < OPENS_AFTER
      if (!hasRoom && queue.waiting[0]?.probe !== true) return
      const claim = queue.waiting.shift()
      if (!claim) return
      queue.running++
      const attempt = deliver(claim).finally(() => {
        queue.running--
        running.delete(attempt)
        fill(endpointId)
      })
      running.add(attempt)
    }
  }

  return {
    add: (claim: Claim) => insert(queueOf(claim.endpoint_id).waiting, claim),
    fill,
    /** Puts back a delivery that was not sent, and sends nothing more to its endpoint until the queue is reopened. */
    putBack(claim: Claim) {
      const queue = queueOf(claim.endpoint_id)
      queue.waiting.unshift(claim)
      queue.isClosed = true
    },
    setFailures(endpointId: string, change: (failures: number) => number) {
      const queue = queues.get(endpointId)
      if (queue) queue.failures = change(queue.failures)
    },
    /** Opens the closed queues. @returns the endpoints, whose waiting claims are to be released */
    reopen() {
      const closed = [...queues].filter(([, queue]) => queue.isClosed)
      for (const [, queue] of closed) queue.isClosed = false
      return closed.map(([endpointId]) => endpointId)
    },
    /** Removes the claims that were not started. @returns their ids */
    takeWaiting: (endpointIds: Iterable<string>) =>
      [...endpointIds].flatMap((id) => queues.get(id)?.waiting.splice(0) ?? []).map(({ id }) => id),
    endpoints: () => [...queues.keys()],
    counts: () =>
      [...queues].map(([endpointId, queue]) => ({ endpointId, count: queue.waiting.length + queue.running })),
    /** Starts nothing more. */
    stop: () => (isStopped = true),
    /** Resolves when no delivery is running. */
    idle: () => Promise.all(running),
  }
}

/** A probe comes first: released unsent, it would keep the circuit open for the time of another attempt. */
function insert(waiting: Claim[], claim: Claim): void {
  if (claim.probe) waiting.unshift(claim)
  else waiting.push(claim)
}
