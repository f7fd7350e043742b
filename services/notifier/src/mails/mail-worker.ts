import { every, isOutage } from '@storefront/chassis'
import type { NotifierContext } from '../context.ts'
import type { MailPhase } from '../database.ts'
import { composeMessage, type Message } from './compose-message.ts'
import { isAboutLink } from './mail-kinds.ts'
import type { MailTransport, SendResult } from './mail-transport.ts'
import {
  claimMails,
  noteMails,
  reclaimMails,
  recordHandOver,
  renewMailLeases,
  type ClaimedMail,
  type MailOutcome,
} from './mails.queries.ts'
import { LinkUnavailable, type LinkReader } from './read-link.ts'
import { GIVE_UP_AFTER_MS, mailRetryDelayMs } from './retry-delay.ts'

const SWEEP_MS = 1000
/** Outcomes of this long are written together. */
const GATHER_MS = 4
const NOTE_RETRY_MS = 250

export interface MailWorker {
  /** Looks for work now: something was queued. */
  poke(): void
  /** Begins nothing more, gives running sends `graceMs` to finish, then breaks them off. */
  stop(graceMs: number): Promise<void>
}

type Outcome = Omit<MailOutcome, 'id'>

interface Unnoted {
  mail: ClaimedMail
  outcome: Outcome
  done: () => void
  failed: (error: unknown) => void
}

/** Sends the mails of the queue: each at most once as far as a mail server is concerned, and none lost before that. */
export function startMailWorker(
  context: NotifierContext & {
    transport: MailTransport
    sender: string
    readLink: LinkReader
    /** Before this nothing is sent: the mail server would refuse the password. */
    passwordKnown: Promise<void>
  },
): MailWorker {
  const { db, log, clock, worker, leaseMs, transport, sender, readLink, passwordKnown } = context
  const held = new Set<string>()
  const running = new Set<Promise<void>>()
  let unnoted: Unnoted[] = []
  let noting = false
  let mayBegin = false
  let stopping = false
  let broken = false

  const claiming = every(SWEEP_MS, 'claim mails', log, () => unlessOutage(claim), {
    gapMs: transport.claimGapMs,
  })
  const renewing = every(Math.ceil(leaseMs / 4), 'renew mail leases', log, () => unlessOutage(renew))
  const reclaiming = every(Math.min(leaseMs, 5000), 'reclaim mails', log, () => unlessOutage(reclaim))
  void passwordKnown.then(() => {
    mayBegin = true
    claiming.poke()
  })
  reclaiming.poke()

  async function unlessOutage(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isOutage(error)) throw error
      log.debug({ err: error }, 'mails wait until the database is back')
    }
  }

  async function claim(): Promise<void> {
    const limit = transport.concurrency - running.size
    if (!mayBegin || stopping || limit <= 0) return
    for (const mail of await claimMails(db, { limit, worker, leaseMs, now: clock.now() })) {
      held.add(mail.id)
      const sending = send(mail)
        .catch((error: unknown) => log.error({ err: error, mail: mail.id }, 'a mail was left to its lease'))
        .finally(() => {
          held.delete(mail.id)
          running.delete(sending)
          claiming.poke()
        })
      running.add(sending)
    }
  }

  async function send(mail: ClaimedMail): Promise<void> {
    let message: Message | undefined
    try {
      message = await composeMessage(mail, { sender, readLink })
    } catch (error) {
      if (error instanceof LinkUnavailable) {
        await note(mail, unsent(mail, error.message))
        return
      }
      log.error({ err: error, mail: mail.id, kind: mail.kind }, 'a mail cannot be written')
      await note(mail, { phase: 'failed', answer: 'it could not be written', nextAttemptAt: null })
      return
    }
    if (!message) {
      await note(mail, { phase: 'dropped', answer: 'its link was used or has run out', nextAttemptAt: null })
      return
    }
    let handedOver = false
    const result = await transport.send(message, async () => {
      const mine = await recordHandOver(db, { id: mail.id, worker, leaseMs })
      if (!mine) throw new Error('the claim on this mail was lost')
      handedOver = true
    })
    const answer = storableAnswer(result.answer, message)
    await note(mail, outcomeOf(mail, { ...result, answer }, handedOver))
  }

  function outcomeOf(mail: ClaimedMail, result: SendResult, handedOver: boolean): Outcome {
    const { answer } = result
    if (result.kind === 'sent') return { phase: 'sent', answer, nextAttemptAt: null }
    if (result.kind === 'broken' && handedOver) return { phase: 'uncertain', answer, nextAttemptAt: null }
    if (result.kind === 'refused' && result.permanent) return { phase: 'failed', answer, nextAttemptAt: null }
    return unsent(mail, answer)
  }

  /** Nobody has got it: it is tried again, for a day. */
  function unsent(mail: ClaimedMail, answer: string): Outcome {
    const now = clock.now()
    if (now.getTime() - mail.created_at.getTime() >= GIVE_UP_AFTER_MS) {
      return { phase: 'failed', answer, nextAttemptAt: null }
    }
    // What our own stop broke off goes out as soon as there is somebody to send it.
    const retry = { isAboutLink: isAboutLink(mail.kind), random: Math.random() }
    const pauseMs = broken ? 0 : mailRetryDelayMs(mail.attempts, retry)
    return { phase: 'queued', answer, nextAttemptAt: new Date(now.getTime() + pauseMs) }
  }

  /** The outcome of a send is known only here: it is written as soon as the database takes it. */
  function note(mail: ClaimedMail, outcome: Outcome): Promise<void> {
    return new Promise((done, failed) => {
      unnoted.push({ mail, outcome, done, failed })
      if (noting) return
      noting = true
      setTimeout(() => void noteAll(), GATHER_MS)
    })
  }

  /** Never rejects: each of them hears what became of it. */
  async function noteAll(): Promise<void> {
    for (let batch = unnoted.splice(0); batch.length > 0; batch = unnoted.splice(0)) {
      try {
        await write(batch)
      } catch (error) {
        if (isOutage(error) && !broken) {
          unnoted = [...batch, ...unnoted]
          await new Promise((resolve) => setTimeout(resolve, NOTE_RETRY_MS))
        } else if (batch.length === 1) batch[0]?.failed(error)
        // One that the database does not take must not keep the others from it.
        else for (const each of batch) await write([each]).catch(each.failed)
      }
    }
    noting = false
  }

  async function write(batch: readonly Unnoted[]): Promise<void> {
    const outcomes = batch.map(({ mail, outcome }) => ({ id: mail.id, ...outcome }))
    const phases = await noteMails(db, worker, outcomes, clock.now())
    for (const { mail, outcome, done } of batch) {
      report(mail, outcome, phases.get(mail.id))
      done()
    }
  }

  // Neither address nor text belongs into a log.
  function report(mail: ClaimedMail, { phase: wanted, nextAttemptAt }: Outcome, phase: MailPhase | undefined): void {
    const facts = { mail: mail.id, kind: mail.kind, reference: mail.reference, attempts: mail.attempts }
    if (phase === undefined) log.warn({ ...facts, phase: wanted }, 'a mail was finished after its claim was lost')
    else if (phase === 'sent') log.info(facts, 'a mail was sent')
    else if (phase === 'queued') log.warn({ ...facts, nextAttemptAt }, 'a mail could not be sent, trying again')
    else if (phase === 'dropped') log.info(facts, 'a mail was dropped')
    else if (phase === 'failed') log.error(facts, 'a mail was refused for good')
    else log.error(facts, 'whether a mail arrived is uncertain, it is not sent again')
  }

  async function renew(): Promise<void> {
    if (held.size > 0) await renewMailLeases(db, { ids: [...held], worker, leaseMs })
  }

  async function reclaim(): Promise<void> {
    const lost = await reclaimMails(db, { worker, held: [...held], now: clock.now() })
    for (const { id, reference, phase } of lost) {
      if (phase === 'uncertain') {
        log.error({ mail: id, reference }, 'whether a mail arrived is uncertain, it is not sent again')
      } else log.warn({ mail: id, reference }, 'a mail of a copy that is gone is taken up')
    }
    if (lost.length > 0) claiming.poke()
  }

  return {
    poke: () => claiming.poke(),
    async stop(graceMs) {
      stopping = true
      await Promise.all([claiming.stop(), reclaiming.stop()])
      const giveUp = setTimeout(() => {
        broken = true
        transport.close({ force: true })
      }, graceMs)
      await Promise.all(running)
      clearTimeout(giveUp)
      await renewing.stop()
      transport.close({ force: false })
    },
  }
}

/** A mail server that does not like an address quotes it: with the link, others could do what its reader may. */
function storableAnswer(answer: string, { holdsLink }: Message): string {
  const harmless = holdsLink ? answer.replace(/https?:[^]*$/i, '[left out]') : answer
  return harmless.replaceAll('\0', '').slice(0, 1000)
}
