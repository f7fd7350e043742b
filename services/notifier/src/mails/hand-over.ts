import type { NotifierContext } from '../context.ts'
import { recordHandOvers } from './mails.queries.ts'

/** Mails that become ready within this time are recorded with one commit. */
const GATHER_MS = 4

interface Waiting {
  id: string
  done: () => void
  failed: (error: unknown) => void
}

/** This worker does not hold the mail any more: another one may send it. */
export class ClaimLost extends Error {}

/**
 * Records that mails are handed over, those of the same few milliseconds in one statement, because a commit costs
 * more than the row. If the statement fails, none of its mails was handed over, and all are retried.
 * @returns resolves when the end of this mail may be sent; rejects when it must not
 */
export function createHandOvers({
  db,
  worker,
  leaseMs,
}: Pick<NotifierContext, 'db' | 'worker' | 'leaseMs'>): (id: string) => Promise<void> {
  let waiting: Waiting[] = []

  async function record(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const ids = batch.map(({ id }) => id)
      const mine = await recordHandOvers(db, { ids, worker, leaseMs })
      for (const { id, done, failed } of batch) {
        if (mine.has(id)) done()
        else failed(new ClaimLost('the claim on this mail was lost'))
      }
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }

  return (id) =>
    new Promise((done, failed) => {
      waiting.push({ id, done, failed })
      if (waiting.length === 1) setTimeout(() => void record(), GATHER_MS)
    })
}
