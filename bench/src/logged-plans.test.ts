import { expect, test } from 'vitest'
import { plansIn } from './logged-plans.ts'

const LOG = `2026-03-01 12:00:00.000 UTC [11] LOG:  duration: 0.210 ms  plan:
\tQuery Text: select id from outbox limit 10
\tLimit  (cost=0.00..1.00 rows=1 width=8) (actual time=0.001..0.002 rows=0.00 loops=1)
2026-03-01 12:00:00.100 UTC [12] LOG:  duration: 7.512 ms  plan:
\tQuery Text: select product_id
\t  from listings where ordinal = $1
\tQuery Parameters: $1 = 'women'
\tIndex Scan using listings_featured on listings  (cost=0.42..8.44 rows=1 width=8)
\t  Buffers: shared hit=4
2026-03-01 12:00:00.200 UTC [12] ERROR:  canceling statement due to statement timeout
\tSTATEMENT: select 1 from facets
`

test('the plans of a log are the complete plans of statements about listings and responses', () => {
  expect(plansIn(LOG)).toEqual([
    `duration: 7.512 ms
Query Text: select product_id
  from listings where ordinal = $1
Query Parameters: $1 = 'women'
Index Scan using listings_featured on listings  (cost=0.42..8.44 rows=1 width=8)
  Buffers: shared hit=4`,
  ])
})
