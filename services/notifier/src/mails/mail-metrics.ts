import { counter, readAtScrape, scrapedGauge, type Stoppable } from '@storefront/chassis'
import type { Database, MailPhase } from '../database.ts'
import { countWaitingMails } from './mails.queries.ts'

const mails = counter('storefront_mails_total', 'What became of mails at an attempt to send them', ['kind', 'outcome'])
const waiting = scrapedGauge('storefront_mails_waiting', 'Mails that are to be sent, up to 100,000')

/** @param phase what the row says now; undefined when it was somebody else's by then */
export function countMail(kind: string, phase: MailPhase | undefined): void {
  mails.inc({ kind, outcome: phase === 'queued' ? 'to_be_tried_again' : (phase ?? 'lost_claim') })
}

/** Shows what waits to be sent. */
export function watchMails(db: Database): Stoppable {
  return readAtScrape({ source: 'mails' }, async () => [{ gauge: waiting, value: await countWaitingMails(db) }])
}
