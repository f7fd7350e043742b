import {
  MAX_ACTIVITY_TOTAL,
  type ActivityPage,
  type ActivityPosition,
  type ActivityQuery,
  type ActivityRecord,
  type RequestDefinition,
} from '@storefront/contracts'
import type { ActorVerifier, Log } from '@storefront/service'
import { type Messaging, replyTo } from '@storefront/messaging'
import { periodOf } from './audit-page.ts'

export interface ActivityFilter {
  actorIds?: readonly string[] | undefined
  kinds?: readonly string[] | undefined
  from?: Date | undefined
  /** `to` itself is not part of the period. */
  to?: Date | undefined
}

/** An entry as its source stores it. */
export type SourceEntry = Omit<ActivityRecord, 'source'>

/** A table in which a service records the actions of admins. Its entries are numbered from 1. */
export interface ActivitySource {
  /** Short, and unique among the sources of the shop. */
  name: string
  /** The subject kinds of its entries: it is not read for others. */
  kinds: readonly string[]
  /**
   * The latest first, and at equal times the highest number first; only entries after the given position, if there is
   * one.
   */
  find(
    filter: ActivityFilter,
    page: { behind: { at: Date; number: number } | undefined; limit: number },
  ): Promise<SourceEntry[]>
  /** @returns how many entries match, counted up to `most` */
  count(filter: ActivityFilter, most: number): Promise<number>
}

/** Replies to identity's request for a page of the actions of admins in this service. */
export function replyToReadActivity(
  context: { messaging: Messaging; verifyActor: ActorVerifier; log: Log },
  request: RequestDefinition<ActivityQuery, ActivityPage>,
  sources: readonly ActivitySource[],
): void {
  replyTo(context, request, (query) => readActivity(sources, query))
}

/** A page of the entries of several sources. */
export async function readActivity(sources: readonly ActivitySource[], query: ActivityQuery): Promise<ActivityPage> {
  const { behind, limit, actorIds, kinds } = query
  const filter = { actorIds, kinds, ...periodOf(query) }
  const wanted = sources.filter((source) => kinds === undefined || source.kinds.some((kind) => kinds.includes(kind)))
  const pages = await Promise.all(
    wanted.map(async (source) => ({
      entries: await source.find(filter, { behind: behind && positionIn(source.name, behind), limit }),
      total: await source.count(filter, MAX_ACTIVITY_TOTAL),
      source: source.name,
    })),
  )
  return {
    entries: mergeActivity(
      pages.map(({ entries, source }) => entries.map((entry) => ({ ...entry, source }))),
      limit,
    ),
    total: totalOf(pages),
  }
}

export function totalOf(pages: readonly { total: number }[]): number {
  const sum = pages.reduce((all, { total }) => all + total, 0)
  return Math.min(sum, MAX_ACTIVITY_TOTAL)
}

/** Merges the first entries of several sorted lists. */
export function mergeActivity<Entry extends ActivityPosition>(lists: readonly Entry[][], limit: number): Entry[] {
  return lists.flat().toSorted(byPosition).slice(0, limit)
}

/** Times are texts of equal length. */
function byPosition(one: ActivityPosition, other: ActivityPosition): number {
  if (one.at !== other.at) return one.at > other.at ? -1 : 1
  if (one.source !== other.source) return one.source < other.source ? -1 : 1
  return other.number - one.number
}

/**
 * Where a source continues after an entry that may be from another source: its own entries with the same time come
 * before or after.
 */
function positionIn(source: string, { at, source: last, number }: ActivityPosition): { at: Date; number: number } {
  if (source === last) return { at: new Date(at), number }
  return { at: new Date(at), number: source < last ? 0 : Number.MAX_SAFE_INTEGER }
}
