import { sql } from 'kysely'
import type { Row, Tx } from '../database.ts'

type LearnedAttribute = Pick<Row<'library_attributes'>, 'id' | 'key' | 'label' | 'group' | 'values'>

export async function countAttributes(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from library_attributes`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Adds values to the attributes of these keys, and attributes for new keys; the labels of existing ones are not
 * changed. In the order of the keys, so that concurrent saves cannot deadlock.
 * @param room how many new keys there may be, and how many values of one key
 * @returns whether anything changed
 */
export async function learnValues(
  tx: Tx,
  attributes: readonly LearnedAttribute[],
  room: { newKeys: number; values: number },
): Promise<boolean> {
  const { rows } = await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(attributes)}::jsonb)
        as given (id text, key text, label text, "group" text, values text[])
    ), fresh as (
      select given.key from given
      where not exists (select 1 from library_attributes known where known.key = given.key)
      order by given.key limit ${room.newKeys}
    )
    insert into library_attributes as saved (id, key, label, "group", values)
    select given.id, given.key, given.label, given."group", given.values from given
    where given.key in (select key from fresh)
      or exists (select 1 from library_attributes known where known.key = given.key and not known.values @> given.values
        and cardinality(known.values) < ${room.values}::int)
    order by given.key
    on conflict (key) do update set values = saved.values || (array(
        select value from unnest(excluded.values) with ordinality as seen (value, place)
        where value <> all(saved.values) order by seen.place))[:greatest(0, ${room.values}::int - cardinality(saved.values))]
    where not saved.values @> excluded.values and cardinality(saved.values) < ${room.values}::int
    returning key`.execute(tx)
  return rows.length > 0
}
