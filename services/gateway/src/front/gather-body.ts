import type { IncomingMessage } from 'node:http'
import { partyCounts } from './party-counts.ts'

/** Announced to be no longer than this, a body is there whole before anything is done for its request. */
export const SMALL_BYTES = 16 * 1024
/** Small bodies that come in several pieces may take so much together until they are whole. */
const UNFINISHED_BYTES = 32 * 1024 * 1024
/** Of that so much for one party: 128 of the largest. */
const UNFINISHED_BYTES_OF_PARTY = 2 * 1024 * 1024

export interface Gathering {
  ready: (body: Buffer) => void
  /** The rest of the body is still to come. */
  noRoom: () => void
}

/** Takes a small body into memory. Neither function is called when its sender goes away. */
export type GatherBody = (party: string, request: IncomingMessage, gathering: Gathering) => void

/** Whether a request has a body that is to be gathered. */
export function isSmall({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BYTES
}

/**
 * Whoever sends a body a byte at a time must not hold what others need in the meantime: a place among the requests under
 * way, or one of the connections to a service. So a small body, which nearly every one is, is waited for in memory.
 */
export function bodyGatherer(mostBytes = UNFINISHED_BYTES, mostOfParty = UNFINISHED_BYTES_OF_PARTY): GatherBody {
  let taken = 0
  const ofParties = partyCounts()
  return (party, request, { ready, noRoom }) => {
    const announced = Number(request.headers['content-length'])
    let body: Buffer | undefined
    let received = 0
    let room = 0
    let refused = false
    const giveBack = () => {
      taken -= room
      ofParties.release(party, room)
      room = 0
    }
    request.on('data', (chunk: Buffer) => {
      if (refused) return
      received += chunk.length
      // It came in one piece, as small ones usually do, and does not have to wait for anything.
      if (chunk.length === announced) body = chunk
      else if (body) chunk.copy(body, received - chunk.length)
      else {
        taken += announced
        room = announced
        if (ofParties.take(party, announced) > mostOfParty || taken > mostBytes) {
          refused = true
          giveBack()
          noRoom()
          return
        }
        // All at once: a list of pieces of one byte would take a hundred times as much.
        body = Buffer.allocUnsafeSlow(announced)
        chunk.copy(body)
      }
    })
    request.once('end', () => {
      giveBack()
      if (body) ready(body)
    })
    request.once('close', giveBack)
  }
}
