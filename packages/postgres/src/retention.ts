import { every, HOUR_MS, type Clock, type Log, type Timer } from '@storefront/service'

/** Rows are deleted this many at a time, so that no other transaction waits for long. */
const BATCH = 1000

/** What a service deletes, and how long it keeps it. */
export interface RetentionRule<Context extends { db: unknown }> {
  /** Zero where the statement itself knows what is no longer needed. */
  keptMs: number
  /** How often the service looks for it; every hour by default. */
  everyMs?: number
  /** @returns how many were deleted, if it deletes `limit` at most; more than one batch may be due */
  deleteBefore: (db: Context['db'], before: Date, limit: number, context: Context) => Promise<number | void>
}

/** @param rules by what they delete, as the log names it */
export function startRetention<Context extends { db: unknown; clock: Clock; log: Log }>(
  rules: Record<string, RetentionRule<Context>>,
  context: Context,
): Timer[] {
  return Object.entries(rules).map(([what, rule]) =>
    // Not a day: a replica that is restarted every day would never delete anything.
    every(rule.everyMs ?? HOUR_MS, `delete ${what}`, context.log, () => followRule(rule, context)),
  )
}

/** Deletes what the rule keeps no longer. */
export async function followRule<Context extends { db: unknown; clock: Clock }>(
  { keptMs, deleteBefore }: RetentionRule<Context>,
  context: Context,
): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs)
  while ((await deleteBefore(context.db, before, BATCH, context)) === BATCH);
}
