import { expect, test } from 'vitest'
import { querySummary } from './query-summary.ts'

test.each([
  ['select "id" from "orders" where "id" = $1', 'SELECT orders'],
  ['insert into outbox (event_id, name) select event_id, $1 from unnest($2::text[])', 'INSERT outbox'],
  ['update "carts" set "lines" = $1 where "id" = $2', 'UPDATE carts'],
  [
    'with batch as (\n  delete from outbox where id = any(array(select id from x))) select * from batch',
    'DELETE outbox',
  ],
  ['select 1 from (select id from stock for update) as s', 'SELECT stock'],
  ['commit', 'COMMIT'],
  ['select pg_try_advisory_xact_lock($1)', 'SELECT'],
])('%s is a %s', (text, summary) => {
  expect(querySummary(text)).toBe(summary)
})
