import { createHash } from 'node:crypto'
import { isSharedKey } from '@storefront/http'
import { isOrderMailKind, mailboxOf, type Unproven } from '@storefront/contracts'
import { DAY_MS, HOUR_MS } from '@storefront/service'
import type { NotifierConfig } from '../config.ts'

/**
 * How many mails outsiders may cause in an hour, by each limit; 0 means no limit. In a day it is three times as many.
 */
export interface MailLimits {
  perRecipient: number
  perSender: number
  perNetwork: number
}

const DAY_FACTOR = 3
const DEFAULTS: MailLimits = { perRecipient: 15, perSender: 20, perNetwork: 100 }
const NONE: MailLimits = { perRecipient: 0, perSender: 0, perNetwork: 0 }

/** Without the gateway's rate limits, as in a load test, one address stands for many buyers. */
export function mailLimitsOf(
  config: Partial<
    Pick<NotifierConfig, 'RATE_LIMIT_GENERAL' | 'MAILS_PER_RECIPIENT' | 'MAILS_PER_SENDER' | 'MAILS_PER_NETWORK'>
  >,
): MailLimits {
  const fallback = config.RATE_LIMIT_GENERAL === 0 ? NONE : DEFAULTS
  return {
    perRecipient: config.MAILS_PER_RECIPIENT ?? fallback.perRecipient,
    perSender: config.MAILS_PER_SENDER ?? fallback.perSender,
    perNetwork: config.MAILS_PER_NETWORK ?? fallback.perNetwork,
  }
}

/** The subject that a mail counts for, and how many of it are allowed in an hour; 0 for no limit. */
interface CountedSubject {
  subject: string
  perHour: number
  /** Why a mail over this limit is withheld, for the log of mails. */
  reason: string
}

/** A mail as the limits see it: its recipient in canonical form, and who caused it. */
export interface CountedMail {
  kind: string
  recipient: string
  unproven: Unproven
}

/**
 * The subjects of a mail that an outsider can cause. Each kind of mail about accounts counts separately at its
 * recipient: flooding a mailbox with orders or sign-ups must not block its owner's new password.
 */
export function subjectsOf({ kind, recipient, unproven }: CountedMail, limits: MailLimits): CountedSubject[] {
  const isOrder = isOrderMailKind(kind)
  return [
    {
      subject: recipientSubject(isOrder ? 'order' : kind, recipient),
      perHour: limits.perRecipient,
      reason: 'too many mails of this kind to its recipient',
    },
    ...unproven.senders.map((key) => ({
      subject: `${isOrder ? 'order' : 'account'}:${key}`,
      perHour: isSharedKey(key) ? limits.perNetwork : limits.perSender,
      reason: isSharedKey(key)
        ? 'too many mails caused from one network'
        : 'too many mails caused by one browser or account',
    })),
  ].filter(({ perHour }) => perHour > 0)
}

/**
 * The subject of a test mail: its recipient. A merchant who edits templates needs more of them than an outsider may
 * cause.
 * @returns undefined when there is no limit
 */
export function testSubjectOf(recipient: string, { perNetwork }: MailLimits): CountedSubject | undefined {
  if (perNetwork === 0) return undefined
  const subject = recipientSubject('test', recipient)
  return { subject, perHour: perNetwork, reason: 'too many test mails to one mailbox' }
}

function recipientSubject(group: string, recipient: string): string {
  return `${group}:recipient:${createHash('sha256').update(mailboxOf(recipient)).digest('hex').slice(0, 40)}`
}

/** Mails of the last hour and of the last day, by subject. */
export type MailCounts = Map<string, { hour: number; day: number }>

/**
 * Decides on one mail, and counts it when it may be sent. Withheld ones are not counted: the wait does not grow
 * longer.
 * @param counts is changed
 * @returns why it is withheld; undefined when it may be sent
 */
export function countOrWithhold(subjects: readonly CountedSubject[], counts: MailCounts): string | undefined {
  const countOf = (subject: string) => counts.get(subject) ?? { hour: 0, day: 0 }
  const full = subjects.find(({ subject, perHour }) => {
    const { hour, day } = countOf(subject)
    return hour >= perHour || day >= perHour * DAY_FACTOR
  })
  if (full) return full.reason
  for (const { subject } of subjects) {
    const { hour, day } = countOf(subject)
    counts.set(subject, { hour: hour + 1, day: day + 1 })
  }
  return undefined
}

/** Mails that were counted in the ten minutes from this time on. */
export interface MailSpan {
  since: Date
  mails: number
}

/**
 * When a subject that is over a limit may have another mail: once enough of its mails are too old to count.
 * @param spans of the last day, the newest first
 */
export function allowedAgainAt({ perHour }: Pick<CountedSubject, 'perHour'>, spans: readonly MailSpan[]): Date {
  const freeAtMs = (limit: number, countedMs: number) => {
    let mails = 0
    const last = spans.find((span) => (mails += span.mails) >= limit)
    return last === undefined ? 0 : last.since.getTime() + countedMs
  }
  return new Date(Math.max(freeAtMs(perHour, HOUR_MS), freeAtMs(perHour * DAY_FACTOR, DAY_MS)))
}
