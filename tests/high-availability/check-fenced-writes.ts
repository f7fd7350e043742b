import type { Violation } from './violation.ts'

/** Rows that clients on machines that were cut off inserted into the PostgreSQL there. */
export interface FencedWrites {
  /** The ids that PostgreSQL acknowledged. */
  acknowledged: string[]
  /** The ids that the primary has in the end. */
  stored: string[]
}

/** A primary that is cut off acknowledges a row only if the primary that replaces it has this row. */
export function checkFencedWrites({ acknowledged, stored }: FencedWrites): Violation[] {
  const kept = new Set(stored)
  const message = 'PostgreSQL acknowledged this row on a machine that was cut off, and does not have it any more'
  return acknowledged
    .filter((id) => !kept.has(id))
    .map((subject) => ({ kind: 'write of a fenced primary lost', subject, message }))
}
