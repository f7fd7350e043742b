import { every, HOUR_MS, type Clock, type Log, type Timer } from '@storefront/service'

/** For statements that read a whole table; short enough that a replica that is restarted every day still runs them. */
export const SELDOM_MS = 6 * HOUR_MS
/** Rows are deleted this many at a time, so that no other transaction waits for long. */
const BATCH = 1000

type Stopping<Context> = Context & { isStopping: () => boolean }

/** What a service deletes, and how long it keeps it. */
export interface RetentionRule<Context extends { db: unknown }> {
  /** Zero where the statement itself knows what is no longer needed. */
  keptMs: number
  /** How often the service looks for it; every hour by default. */
  everyMs?: number
  /**
   * Runs again and again while it returns `limit`: after a pause of the service there may be more rows than a single
   * statement can delete within its time limit.
   * @returns how many were deleted, at most `limit`
   */
  deleteBefore: (db: Context['db'], before: Date, limit: number, context: Stopping<Context>) => Promise<number>
}

/** @param rules by what they delete, as the log names it */
export function startRetention<Context extends { db: unknown; clock: Clock; log: Log }>(
  rules: Record<string, RetentionRule<Context>>,
  context: Context,
): Timer[] {
  let stopping = false
  const isStopping = () => stopping
  return Object.entries(rules).map(([what, rule]) => {
    // Not a day: a replica that is restarted every day would never delete anything.
    const everyMs = rule.everyMs ?? HOUR_MS
    const timer = every(everyMs, `delete ${what}`, context.log, () => followRule(rule, context, isStopping))
    return {
      ...timer,
      stop() {
        stopping = true
        return timer.stop()
      },
    }
  })
}

/** Deletes what the rule no longer keeps, until the service stops. */
export async function followRule<Context extends { db: unknown; clock: Clock }>(
  { keptMs, deleteBefore }: RetentionRule<Context>,
  context: Context,
  isStopping = () => false,
): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs)
  const stoppable = { ...context, isStopping }
  while (!isStopping() && (await deleteBefore(context.db, before, BATCH, stoppable)) === BATCH);
}
