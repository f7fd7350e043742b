import { setTimeout } from 'node:timers/promises'
import { batchCalls } from '@storefront/jobs'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import type { WorkerContext } from '../context.ts'
import type { MailPhase } from '../database.ts'
import { countMail } from './mail-metrics.ts'
import type { Outcome } from './mail-outcome.ts'
import { noteMails, type ClaimedMail } from './mails.queries.ts'

/** Results of this period are written together. */
const GATHER_MS = 4
const NOTE_RETRY_MS = 250

interface Attempted {
  mail: ClaimedMail
  outcome: Outcome
}

/**
 * The result of a send is known only to its worker: it is written as soon as the database accepts it.
 * @param isAborted whether the stop of the service ends that wait
 */
export function resultRecorder(
  { db, log, clock, worker }: Pick<WorkerContext, 'db' | 'log' | 'clock' | 'worker'>,
  isAborted: () => boolean,
): (mail: ClaimedMail, outcome: Outcome) => Promise<void> {
  const record = batchCalls(GATHER_MS, recordAll)

  /** @returns a function that finds the phase of each mail; undefined when its claim was lost */
  async function recordAll(batch: readonly Attempted[]): Promise<(one: Attempted) => MailPhase | undefined> {
    try {
      const phases = await write(batch)
      return ({ mail }) => phases.get(mail.id)
    } catch (error) {
      if (batch.length === 1) throw error
    }
    // A result that the database rejects must not block the others.
    const results = new Map<Attempted, PromiseSettledResult<Map<string, MailPhase>>>()
    for (const each of batch) results.set(each, (await Promise.allSettled([write([each])]))[0])
    return (one) => {
      const result = results.get(one)
      if (result?.status === 'rejected') throw result.reason
      return result?.value.get(one.mail.id)
    }
  }

  async function write(batch: readonly Attempted[]): Promise<Map<string, MailPhase>> {
    const outcomes = batch.map(({ mail, outcome }) => ({ id: mail.id, bounced: false, ...outcome }))
    for (;;) {
      try {
        return await noteMails(db, worker, outcomes, clock.now())
      } catch (error) {
        if (isAborted() || !(isOutage(error) || isDatabaseTimeout(error))) throw error
        await setTimeout(NOTE_RETRY_MS)
      }
    }
  }

  // Neither address nor text belongs in a log. For an address that bounced, a part that helps to recognize it.
  function report(mail: ClaimedMail, outcome: Outcome, phase: MailPhase | undefined): void {
    const { phase: wanted, nextAttemptAt, bounced } = outcome
    countMail(mail.kind, phase)
    const facts = { mail: mail.id, kind: mail.kind, reference: mail.reference, attempts: mail.attempts }
    if (phase === undefined) log.warn({ ...facts, phase: wanted }, 'a mail was finished after its claim was lost')
    else if (phase === 'sent') log.info(facts, 'a mail was sent')
    else if (phase === 'queued') log.warn({ ...facts, nextAttemptAt }, 'a mail could not be sent; it will be retried')
    else if (phase === 'dropped') log.info(facts, 'a mail was dropped')
    else if (bounced === true) log.warn({ ...facts, address: hintOf(mail.recipient) }, 'a mail bounced')
    else if (phase === 'failed') log.error(facts, 'a mail was rejected permanently')
    else log.error(facts, 'it is uncertain whether a mail was delivered; it is not sent again')
  }

  return async (mail, outcome) => report(mail, outcome, await record({ mail, outcome }))
}

/** Such as `a…@example.com`. */
function hintOf(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
}
