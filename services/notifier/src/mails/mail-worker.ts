import { processJobs } from '@storefront/jobs'
import { ORDER_MAIL_KINDS } from '@storefront/contracts'
import type { WorkerContext } from '../context.ts'
import { CONNECTIONS } from './mail-transport.ts'
import { claimMails, reclaimMails, renewMailLeases, type ClaimedMail } from './mails.queries.ts'
import { resultRecorder } from './record-results.ts'
import { mailSender } from './send-mail.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Mails that end or arrive within this time share one claim. */
const CLAIM_GAP_MS = 20

/** Sends the queued mails: one that a mail server may have accepted is never sent again, and no other is lost. */
export function startMailWorker(context: WorkerContext) {
  const { db, log, clock, worker, leaseMs, transport } = context
  // Mails about one order are sent in the order of their events, unless an earlier one has to be retried.
  const enqueue = createKeyedQueue()
  let isAborted = false
  const send = mailSender(context, () => isAborted)
  const record = resultRecorder(context, () => isAborted)

  const mails = processJobs<ClaimedMail>({
    name: 'mails',
    log,
    everyMs: context.pollMs,
    gapMs: CLAIM_GAP_MS,
    atOnce: CONNECTIONS,
    // Before that the mail server would reject the password.
    ready: context.credentials.known,
    claim: async (limit) => (await claimMails(db, { limit, worker, leaseMs, now: clock.now() })).toSorted(byEvent),
    run: (mail) => enqueue(mail.reference, async () => record(mail, await send(mail))),
    about: ({ id }) => ({ mail: id }),
    lease: {
      leaseMs,
      renew: (running) => renewMailLeases(db, { ids: idsOf(running), worker, leaseMs }),
      reclaim: (running) => reclaim(idsOf(running)),
    },
  })

  async function reclaim(held: string[]): Promise<boolean> {
    const lost = await reclaimMails(db, { worker, held, now: clock.now() })
    for (const { id, reference, phase } of lost) {
      if (phase === 'uncertain') {
        log.error({ mail: id, reference }, 'it is uncertain whether a mail was delivered; it is not sent again')
      } else log.warn({ mail: id, reference }, 'a mail of a dead replica was reclaimed')
    }
    return lost.length > 0
  }

  return {
    /** Looks for work now: a mail was queued. */
    wake: () => mails.wake(),
    /** Starts no more mails, gives the running ones `graceMs` to finish, then aborts them. */
    async stop(graceMs: number) {
      const giveUp = setTimeout(() => {
        isAborted = true
        transport.close({ force: true })
      }, graceMs)
      await mails.stop()
      clearTimeout(giveUp)
      transport.close({ force: false })
    },
  }
}

function idsOf(mails: readonly ClaimedMail[]): string[] {
  return mails.map(({ id }) => id)
}

/** Events with the same time are sorted in the order of an order's life. */
function byEvent(one: ClaimedMail, other: ClaimedMail): number {
  return one.event_at.getTime() - other.event_at.getTime() || rankOf(one) - rankOf(other)
}

function rankOf({ kind }: ClaimedMail): number {
  return ORDER_MAIL_KINDS.findIndex((each) => each === kind)
}
