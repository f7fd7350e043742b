import type { Client } from 'pg'
import { z } from 'zod'
import type { Written } from './event-messages.ts'
import { markdownTable } from './table.ts'

const Stages = z.object({ received: z.string(), sent: z.string(), answered: z.string(), noted: z.string() })

/**
 * Where the events of a run spent their time, from the times that notifier keeps anyway: nothing is added to what is
 * measured. Each cell is p50 and p99 of its own stage, so a row does not add up.
 */
export async function stagesOf(client: Client, run: string, written: z.output<typeof Written>): Promise<string[]> {
  const between = (from: string, to: string) => {
    const ms = `extract(epoch from ${to} - ${from})::float8 * 1000`
    const part = (fraction: number) => `round(percentile_cont(${fraction}) within group (order by ${ms}))`
    return `concat(${part(0.5)}, ' ', ${part(0.99)})`
  }
  const { rows } = await client.query(
    `with event as (
       select (d.body::json ->> 'at')::timestamptz as begun, i.received_at, a.at as sent,
         a.at + a.duration_ms * interval '1 ms' as answered, d.settled_at
       from notifier.deliveries d
       join notifier.inbox i on i.event_id = d.event_id
       join notifier.attempts a on a.delivery_id = d.id
       where d.endpoint_id = 'whe_storefront' and starts_with(d.body::json ->> 'slug', $1 || '-'))
     select ${between('begun', 'received_at')} as received, ${between('received_at', 'sent')} as sent,
       ${between('sent', 'answered')} as answered, ${between('answered', 'settled_at')} as noted from event`,
    [run],
  )
  const { received, sent, answered: responded, noted } = Stages.parse(rows[0])
  return [`${written.lateP50Ms.toFixed(0)} ${written.lateP99Ms.toFixed(0)}`, received, sent, responded, noted]
}

/** @param rows what the run was, and its stages */
export function stagesTable(rows: string[][]): string {
  return markdownTable(
    [
      'p50 and p99, ms',
      'round',
      'due → begun: the writer is late',
      'begun → received: commit, relay, NATS, others to join',
      'received → sent: insert, commit, claim, its turn',
      'sent → answered',
      'answered → noted',
    ],
    rows,
  )
}
