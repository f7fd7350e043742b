import { createHash } from 'node:crypto'
import { isSharedKey } from '@storefront/chassis'
import { isOrderMailKind, mailboxOf, type Unproven } from '@storefront/contracts'
import type { NotifierConfig } from '../config.ts'

/** Mails an hour that strangers may cause, each kind of limit by itself; 0 is no limit. In a day three times as many. */
export interface MailLimits {
  perRecipient: number
  perSender: number
  perNetwork: number
}

const DAY_FACTOR = 3
const DEFAULTS: MailLimits = { perRecipient: 15, perSender: 20, perNetwork: 100 }
const NONE: MailLimits = { perRecipient: 0, perSender: 0, perNetwork: 0 }

/** Where the gateway counts no requests, as under a load test, one address is many buyers. */
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

/** What a mail counts for, and how many of it are allowed in an hour; 0 for any number. */
export interface CountedSubject {
  subject: string
  perHour: number
  /** Why a mail is withheld that is over this limit, for the log of mails. */
  reason: string
}

/** A mail as the limits see it: its recipient in canonical form, and who caused it. */
export interface CountedMail {
  kind: string
  recipient: string
  unproven: Unproven
}

/**
 * What a mail that a stranger can cause counts for. Each kind of mail about accounts counts by itself at its recipient: who floods a
 * mailbox with orders or sign-ups must not keep its owner from a new password.
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

/** What a test mail counts for: its recipient. A merchant who tries out templates needs more of them than a stranger. */
export function testSubjectOf(recipient: string, { perNetwork }: MailLimits): CountedSubject[] {
  const subject = recipientSubject('test', recipient)
  return perNetwork === 0 ? [] : [{ subject, perHour: perNetwork, reason: 'too many test mails to one mailbox' }]
}

function recipientSubject(group: string, recipient: string): string {
  return `${group}:recipient:${createHash('sha256').update(mailboxOf(recipient)).digest('hex').slice(0, 40)}`
}

/** Mails of the last hour and of the last day, by subject. */
export type MailCounts = Map<string, { hour: number; day: number }>

/**
 * Decides on one mail, and counts it when it may go. What is withheld is not counted: the wait does not grow longer.
 * @param counts is changed
 * @returns why it is withheld; undefined when it may go
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
