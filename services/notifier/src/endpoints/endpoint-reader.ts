import { performance } from 'node:perf_hooks'
import type { Log } from '@storefront/service'
import type { Database } from '../database.ts'
import type { Claim } from '../deliveries/endpoint-queues.ts'
import { sendingEndpoints, type SendingEndpoint } from './endpoints.queries.ts'
import type { SigningSecrets } from './signing-secrets.ts'

/** A running attempt may use an address and secret that are this old. */
const SHARED_MS = 50
/** How long it is remembered which secrets can be decrypted, unless a delivery turns out to have none. */
const SIGNABLE_MS = 1000

export type EndpointReader = ReturnType<typeof createEndpointReader>

interface Reading {
  startedMs: number
  isDone: boolean
  endpoints: Promise<Map<string, SendingEndpoint>>
}

/** Reads all endpoints at once for all deliveries that start at about the same time. */
export function createEndpointReader({ db, log, secretsOf }: { db: Database; log: Log; secretsOf: SigningSecrets }) {
  let latest: Reading | undefined
  let known: Map<string, SendingEndpoint> | undefined

  function begin(): Reading {
    const endpoints = sendingEndpoints(db).then((rows) => new Map(rows.map((row) => [row.id, row])))
    const reading: Reading = { startedMs: performance.now(), isDone: false, endpoints }
    const end = () => (reading.isDone = true)
    endpoints.then(end, end)
    return reading
  }

  async function readAll(sinceMs: number, maxAgeMs = SHARED_MS): Promise<Map<string, SendingEndpoint>> {
    if (!latest || !isFreshEnough(latest, sinceMs, maxAgeMs)) latest = begin()
    try {
      known = await latest.endpoints
      return known
    } catch (error) {
      latest = undefined
      if (!known) throw error
      log.debug({ err: error }, 'endpoints cannot be read; the last known ones are used')
      return known
    }
  }

  return {
    /**
     * The address and secrets of the endpoint of a claimed delivery: those of the claim while they are new enough, then
     * those of the table, not older than the claim. While the database is down, the last known ones.
     * @returns undefined when nothing may be sent to it: it is disabled or deleted, or its secret cannot be decrypted
     */
    async read(claim: Claim) {
      const { endpoint_id: id, beganMs, claimedAtMs } = claim
      const isNew = beganMs >= performance.now() - SHARED_MS
      const endpoint = isNew ? { ...claim, id } : (await readAll(claimedAtMs)).get(id)
      const secrets = endpoint && secretsOf(endpoint)
      // The next claim must know of it, or it would claim the same delivery again.
      if (!secrets) latest = undefined
      return secrets && { url: endpoint.url, secrets }
    },
    /** Endpoints whose secrets cannot be decrypted: their deliveries should not be claimed. */
    async unsignable() {
      const endpoints = await readAll(-Infinity, SIGNABLE_MS)
      return [...endpoints.values()].filter((endpoint) => !secretsOf(endpoint)).map((endpoint) => endpoint.id)
    },
  }
}

/** A read in progress is shared, unless it began before `sinceMs`. */
function isFreshEnough({ startedMs, isDone }: Reading, sinceMs: number, maxAgeMs: number): boolean {
  const isOld = isDone && startedMs < performance.now() - maxAgeMs
  return !isOld && startedMs >= sinceMs
}
