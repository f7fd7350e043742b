import { sql } from 'kysely'

/**
 * Texts for `= any(…)` or `unnest(…)` in a statement that is executed for every purchase. The planner does not see how
 * many there are. For an array of one or two elements it would find each time that a plan for these is cheaper than the
 * generic plan, and plan again, which takes as long as the statement.
 */
export const plannedOnce = (values: readonly string[]) => sql`array(select unnest(${[...values]}::text[]))`

/** More values are worth a plan of their own. */
const FEW = 16

/**
 * The same for a statement that also gets hundreds of values, as for an import. Those are planned for each time: the
 * plan for any number may have been made when the tables were small.
 */
export const plannedOnceIfFew = (values: readonly string[]) =>
  values.length > FEW ? sql`${[...values]}::text[]` : plannedOnce(values)
