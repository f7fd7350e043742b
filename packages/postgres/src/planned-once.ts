import { sql } from 'kysely'

/**
 * Texts for `= any(…)` or `unnest(…)` in a statement that is executed for every purchase. The planner does not see how
 * many there are. For an array of one or two elements it would find each time that a plan for these is cheaper than the
 * generic plan, and plan again, which takes as long as the statement.
 */
export const plannedOnce = (values: readonly string[]) => sql`array(select unnest(${[...values]}::text[]))`
