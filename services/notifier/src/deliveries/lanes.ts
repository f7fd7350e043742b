import { OPENS_AFTER } from './circuit.ts'
import type { ClaimedDelivery } from './deliveries.queries.ts'

/** Concurrent deliveries to one endpoint: a slow one fills only its own lane. */
const CONCURRENCY = 8
/** The maximum number of claims for one endpoint, running or waiting: a busy database must not leave the lane idle. */
export const LANE_SIZE = 16 * CONCURRENCY

export interface Claim extends ClaimedDelivery {
  /** Endpoint data that was cached before this time may be out of date for it. */
  claimedAtMs: number
}

interface Lane {
  waiting: Claim[]
  running: number
  /** Nothing more may be sent: waiting claims are released. */
  isClosed: boolean
  /** In a row, as seen by this replica. When they suffice to open a circuit, sending stops until they are written. */
  failures: number
}

/** The claimed deliveries of this replica, by endpoint. */
export interface Lanes {
  add(claim: Claim): void
  /** Starts waiting deliveries as far as there is room. */
  fill(endpointId: string): void
  /** Puts back a delivery that was not sent, and sends nothing more to its endpoint until the lane is reopened. */
  putBack(claim: Claim): void
  setFailures(endpointId: string, change: (failures: number) => number): void
  /** Opens the closed lanes. @returns the endpoints, whose waiting claims are to be released */
  reopen(): string[]
  /** Removes the claims that were not started. @returns their ids */
  takeWaiting(endpointIds: Iterable<string>): string[]
  endpoints(): string[]
  counts(): { endpointId: string; count: number }[]
  /** Starts nothing more. */
  stop(): void
  /** Resolves when no delivery is running. */
  idle(): Promise<void>
}

/** @param deliver sends one delivery, and never rejects */
export function createLanes(deliver: (claim: Claim) => Promise<void>): Lanes {
  const lanes = new Map<string, Lane>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  function laneOf(endpointId: string): Lane {
    const lane = lanes.get(endpointId) ?? { waiting: [], running: 0, isClosed: false, failures: 0 }
    lanes.set(endpointId, lane)
    return lane
  }

  function fill(endpointId: string): void {
    const lane = lanes.get(endpointId)
    while (lane && !isStopped && !lane.isClosed) {
      const hasRoom = lane.running < CONCURRENCY && lane.failures < OPENS_AFTER
      if (!hasRoom && lane.waiting[0]?.probe !== true) return
      const claim = lane.waiting.shift()
      if (!claim) return
      lane.running++
      const attempt = deliver(claim).finally(() => {
        lane.running--
        running.delete(attempt)
        fill(endpointId)
      })
      running.add(attempt)
    }
  }

  return {
    add: (claim) => insert(laneOf(claim.endpoint_id).waiting, claim),
    fill,
    putBack(claim) {
      const lane = laneOf(claim.endpoint_id)
      lane.waiting.unshift(claim)
      lane.isClosed = true
    },
    setFailures(endpointId, change) {
      const lane = lanes.get(endpointId)
      if (lane) lane.failures = change(lane.failures)
    },
    reopen() {
      const closed = [...lanes].filter(([, lane]) => lane.isClosed)
      for (const [, lane] of closed) lane.isClosed = false
      return closed.map(([endpointId]) => endpointId)
    },
    takeWaiting: (endpointIds) =>
      [...endpointIds].flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? []).map(({ id }) => id),
    endpoints: () => [...lanes.keys()],
    counts: () => [...lanes].map(([endpointId, lane]) => ({ endpointId, count: lane.waiting.length + lane.running })),
    stop() {
      isStopped = true
    },
    async idle() {
      await Promise.all(running)
    },
  }
}

/** A probe comes first: released unsent, it would keep the circuit open for the time of another attempt. */
function insert(waiting: Claim[], claim: Claim): void {
  if (claim.probe) waiting.unshift(claim)
  else waiting.push(claim)
}
