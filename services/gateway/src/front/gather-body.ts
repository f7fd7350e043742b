import type { IncomingMessage } from 'node:http'
import { clientCounts } from './client-counts.ts'

/** A body with a Content-Length up to this is read completely before its request is processed. */
const SMALL_BYTES = 16 * 1024
/** The total size of small bodies that are still incomplete. */
const UNFINISHED_BYTES = 32 * 1024 * 1024
/** The share of one client: 128 of the largest. */
const UNFINISHED_BYTES_PER_CLIENT = 2 * 1024 * 1024

interface Gathering {
  ready: (body: Buffer) => void
  /** Called when there is no memory left, before the body is complete. */
  noMemory: () => void
}

/** Reads a small body into memory. Neither callback is called when the client disconnects. */
type GatherBody = (client: string, request: IncomingMessage, gathering: Gathering) => void

/** Whether a request has a body that must be read first. */
export function isSmall({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BYTES
}

/**
 * A client that sends a body byte by byte must not hold resources that others need: a slot among the running requests,
 * or a connection to a service. So a small body, as nearly all are, is read into memory first.
 */
export function bodyGatherer(maxBytes = UNFINISHED_BYTES, maxBytesPerClient = UNFINISHED_BYTES_PER_CLIENT): GatherBody {
  let taken = 0
  const perClient = clientCounts()
  return (client, request, { ready, noMemory }) => {
    const announced = Number(request.headers['content-length'])
    let body: Buffer | undefined
    let received = 0
    let reserved = 0
    let rejected = false
    const release = () => {
      taken -= reserved
      perClient.release(client, reserved)
      reserved = 0
    }
    request.on('data', (chunk: Buffer) => {
      if (rejected) return
      received += chunk.length
      // It arrived in one chunk, as most small bodies do.
      if (chunk.length === announced) body = chunk
      else if (body) chunk.copy(body, received - chunk.length)
      else {
        taken += announced
        reserved = announced
        if (perClient.take(client, announced) > maxBytesPerClient || taken > maxBytes) {
          rejected = true
          release()
          noMemory()
          return
        }
        // Allocated at once, because a list of one-byte chunks would take a hundred times as much memory.
        body = Buffer.allocUnsafeSlow(announced)
        chunk.copy(body)
      }
    })
    request.once('end', () => {
      release()
      if (body) ready(body)
    })
    request.once('close', release)
  }
}
