import { counter, readAtScrape, scrapedGauge, type Stoppable } from '@storefront/service'
import type { Database, MailPhase } from '../database.ts'
import { countWaitingMails } from './mails.queries.ts'

const mails = counter('storefront_mails_total', 'Attempts to send mails, by result', ['kind', 'outcome'])
const waiting = scrapedGauge('storefront_mails_waiting', 'Mails that are waiting to be sent, up to 100,000')

/** @param phase the current phase of the row; undefined when another worker held it by then */
export function countMail(kind: string, phase: MailPhase | undefined): void {
  mails.inc({ kind, outcome: phase === 'queued' ? 'to_be_tried_again' : (phase ?? 'lost_claim') })
}

/** Shows the backlog of mails. */
export function watchMails(db: Database): Stoppable {
  return readAtScrape({ source: 'mails' }, async () => [{ gauge: waiting, value: await countWaitingMails(db) }])
}
