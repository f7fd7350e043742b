import { shop } from '../shop.ts'

/** Who changed a record last, and when. */
export interface Change {
  name: string | undefined
  isSchedule: boolean
  at: string
}

export type ChangedKind = 'product' | 'category' | 'collection' | 'size-chart'

/** @returns undefined when it is not known: a person can decide without the name */
export async function readLastChange(kind: ChangedKind, id: string): Promise<Change | undefined> {
  const audit = await shop.get('/admin/audit', { params: { query: { kind, id, per_page: 1 } } }).catch(() => undefined)
  const last = audit?.items[0]
  return last && { name: last.by.name ?? undefined, isSchedule: last.by.kind === 'schedule', at: last.at }
}
