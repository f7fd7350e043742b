import { setTimeout } from 'node:timers/promises'
import { processJobs, together } from '@storefront/jobs'
import { linksTo, SpanKind, tracedRoot } from '@storefront/service'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import { ORDER_MAIL_KINDS } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import type { MailPhase } from '../database.ts'
import { SettingsUnavailable, type SettingsReader, type ShopSettings } from '../settings/settings-reader.ts'
import { composeMessage, type Message } from './compose-message.ts'
import { createHandOvers } from './hand-over.ts'
import { isAboutLink, writeMail } from './mail-kinds.ts'
import { countMail } from './mail-metrics.ts'
import type { MailTransport, SendResult } from './mail-transport.ts'
import {
  claimMails,
  noteMails,
  reclaimMails,
  renewMailLeases,
  type ClaimedMail,
  type MailOutcome,
} from './mails.queries.ts'
import { LinkUnavailable, type LinkReader } from './read-link.ts'
import type { OrderPages } from './read-order-link.ts'
import { createTurns } from './turns.ts'
import { GIVE_UP_AFTER_MS, mailRetryDelayMs } from './retry-delay.ts'
import { senderOf } from './sender.ts'
import { whySwitchedOff } from './switched-off.ts'

/** Results of this period are written together. */
const GATHER_MS = 4
const NOTE_RETRY_MS = 250
/**
 * Longer than a restart of orders takes: a mail about an order waits this long for its link, and is then sent without.
 */
const ORDER_LINK_TIMEOUT_MS = 2 * 60 * 1000

export interface MailWorker {
  /** Looks for work now: a mail was queued. */
  wake(): void
  /** Starts nothing more, gives running sends `graceMs` to finish, then aborts them. */
  stop(graceMs: number): Promise<void>
}

type Outcome = Omit<MailOutcome, 'id' | 'bounced'> & { bounced?: boolean }

interface Attempted {
  mail: ClaimedMail
  outcome: Outcome
}

/** Sends the queued mails: each at most once as far as a mail server is concerned, and none is lost before that. */
export function startMailWorker(
  context: NotifierContext & {
    transport: MailTransport
    settings: SettingsReader
    /** The sender while the merchant has set none. */
    mailFrom: string
    readLink: LinkReader
    orderPages: OrderPages
    /** Public address of the shop, with the base path. */
    publicUrl: string
    /** Before this nothing is sent: the mail server would reject the password. */
    passwordKnown: Promise<void>
  },
): MailWorker {
  const { db, log, clock, worker, leaseMs, pollMs, transport, settings, mailFrom, passwordKnown } = context
  const { readLink, orderPages, publicUrl } = context
  // Mails about one order are sent in the order of their events, unless an earlier one has to be retried.
  const inTurn = createTurns()
  const handOver = createHandOvers(context)
  const record = together(GATHER_MS, recordAll)
  let broken = false

  const mails = processJobs<ClaimedMail>({
    name: 'mails',
    log,
    everyMs: pollMs,
    gapMs: transport.claimGapMs,
    atOnce: transport.concurrency,
    ready: passwordKnown,
    claim: async (limit) => (await claimMails(db, { limit, worker, leaseMs, now: clock.now() })).toSorted(byEvent),
    run: (mail) => inTurn(mail.reference, () => send(mail)),
    about: ({ id }) => ({ mail: id }),
    lease: {
      leaseMs,
      renew: (running) => renewMailLeases(db, { ids: idsOf(running), worker, leaseMs }),
      reclaim: (running) => reclaim(idsOf(running)),
    },
  })

  /** @returns why it is not sent at all, if so */
  async function prepare(mail: ClaimedMail): Promise<{ message: Message; shop: ShopSettings } | { dropped: string }> {
    const shop = await settings.read()
    const switchedOff = whySwitchedOff(mail.kind, shop.notifications)
    if (switchedOff !== undefined) return { dropped: switchedOff }
    const from = senderOf(shop, mailFrom)
    const isLate = clock.now().getTime() - mail.created_at.getTime() >= ORDER_LINK_TIMEOUT_MS
    const letterhead = { settings: shop, senderName: from.from.name, publicUrl, readLink, orderPages, isLate }
    const text = await writeMail(mail.kind, mail.data, letterhead)
    if (!text) return { dropped: 'its link was used or has expired' }
    return { message: await composeMessage(mail, text, from), shop }
  }

  async function send(mail: ClaimedMail): Promise<void> {
    let prepared: Awaited<ReturnType<typeof prepare>>
    try {
      prepared = await prepare(mail)
    } catch (error) {
      if (error instanceof LinkUnavailable || error instanceof SettingsUnavailable) {
        await note(mail, unsent(mail, error.message))
        return
      }
      log.error({ err: error, mail: mail.id, kind: mail.kind }, 'a mail cannot be composed')
      await note(mail, { phase: 'failed', answer: 'it could not be composed', nextAttemptAt: null })
      return
    }
    if ('dropped' in prepared) {
      await note(mail, { phase: 'dropped', answer: prepared.dropped, nextAttemptAt: null })
      return
    }
    const { message, shop } = prepared
    if (message.fellBack.length > 0) {
      const facts = { mail: mail.id, kind: mail.kind, faults: message.fellBack }
      log.warn(facts, 'a template of the merchant failed, the default template was used')
    }
    let handedOver = false
    const attributes = { 'storefront.mail.kind': mail.kind, 'storefront.mail.id': mail.id }
    const links = linksTo(mail.traceparent ?? undefined)
    const result = await tracedRoot('send mail', { kind: SpanKind.CLIENT, attributes, links }, async (span) => {
      const sent = await transport.send(message, shop.notifications, async () => {
        await handOver(mail.id)
        handedOver = true
      })
      span?.setAttribute('storefront.mail.outcome', sent.kind)
      return sent
    })
    const reply = storableReply(result.answer, message)
    await note(mail, outcomeOf(mail, { ...result, answer: reply }, handedOver))
  }

  function outcomeOf(mail: ClaimedMail, result: SendResult, handedOver: boolean): Outcome {
    const { answer: reply } = result
    if (result.kind === 'sent') return { phase: 'sent', answer: reply, nextAttemptAt: null }
    if (result.kind === 'broken' && handedOver) return { phase: 'uncertain', answer: reply, nextAttemptAt: null }
    if (result.kind === 'rejected' && result.permanent) {
      return { phase: 'failed', answer: reply, nextAttemptAt: null, bounced: result.bounced }
    }
    return unsent(mail, reply)
  }

  /** The mail was not delivered: it is retried, for a day. */
  function unsent(mail: ClaimedMail, reply: string): Outcome {
    const now = clock.now()
    if (now.getTime() - mail.created_at.getTime() >= GIVE_UP_AFTER_MS) {
      return { phase: 'failed', answer: reply, nextAttemptAt: null }
    }
    // A send that our own stop aborted is retried as soon as another worker claims it.
    const retry = { isAboutLink: isAboutLink(mail.kind), random: Math.random() }
    const pauseMs = broken ? 0 : mailRetryDelayMs(mail.attempts, retry)
    return { phase: 'queued', answer: reply, nextAttemptAt: new Date(now.getTime() + pauseMs) }
  }

  async function note(mail: ClaimedMail, outcome: Outcome): Promise<void> {
    report(mail, outcome, await record({ mail, outcome }))
  }

  /** @returns how to find the phase of each: none when its claim was lost */
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

  /** The result of a send is known only here: it is written as soon as the database accepts it. */
  async function write(batch: readonly Attempted[]): Promise<Map<string, MailPhase>> {
    const outcomes = batch.map(({ mail, outcome }) => ({ id: mail.id, bounced: false, ...outcome }))
    for (;;) {
      try {
        return await noteMails(db, worker, outcomes, clock.now())
      } catch (error) {
        if (broken || !(isOutage(error) || isDatabaseTimeout(error))) throw error
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
    else if (phase === 'queued') log.warn({ ...facts, nextAttemptAt }, 'a mail could not be sent, it will be retried')
    else if (phase === 'dropped') log.info(facts, 'a mail was dropped')
    else if (bounced === true) log.warn({ ...facts, address: hintOf(mail.recipient) }, 'a mail bounced')
    else if (phase === 'failed') log.error(facts, 'a mail was rejected permanently')
    else log.error(facts, 'it is uncertain whether a mail was delivered, it is not sent again')
  }

  async function reclaim(held: string[]): Promise<boolean> {
    const lost = await reclaimMails(db, { worker, held, now: clock.now() })
    for (const { id, reference, phase } of lost) {
      if (phase === 'uncertain') {
        log.error({ mail: id, reference }, 'it is uncertain whether a mail was delivered, it is not sent again')
      } else log.warn({ mail: id, reference }, 'a mail of a dead replica was reclaimed')
    }
    return lost.length > 0
  }

  return {
    wake: () => mails.wake(),
    async stop(graceMs) {
      const giveUp = globalThis.setTimeout(() => {
        broken = true
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

/** Events of one moment are sorted in the order of an order's life. */
function byEvent(one: ClaimedMail, other: ClaimedMail): number {
  return one.event_at.getTime() - other.event_at.getTime() || rankOf(one) - rankOf(other)
}

function rankOf({ kind }: ClaimedMail): number {
  return ORDER_MAIL_KINDS.findIndex((each) => each === kind)
}

/** Such as `a…@example.com`. */
function hintOf(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
}

/**
 * A mail server that rejects a mail may quote it, and a reader of the log could use a quoted link like the recipient.
 */
export function storableReply(reply: string, { holdsLink }: Message): string {
  const harmless = holdsLink ? reply.replace(/https?:[^]*$/i, '[left out]') : reply
  return harmless.replaceAll('\0', '').slice(0, 1000)
}
