import { isAboutLink } from '@storefront/mail-templates'
import type { SendResult } from './mail-transport.ts'
import type { ClaimedMail, MailOutcome } from './mails.queries.ts'
import { GIVE_UP_AFTER_MS, mailRetryDelayMs } from './retry-delay.ts'

/** How an attempt at a mail ended. */
export type Outcome = Omit<MailOutcome, 'id' | 'bounced'> & { bounced?: boolean }

interface Attempt {
  now: Date
  /** Our own stop aborts running sends: they are retried as soon as another worker claims them. */
  isAborted: boolean
  /** From 0 to 1. */
  random: number
}

/** @param attempt.handedOver whether the mail server may have received the end of the mail */
export function outcomeOfSend(
  mail: ClaimedMail,
  result: SendResult,
  attempt: Attempt & { handedOver: boolean },
): Outcome {
  const { answer } = result
  if (result.kind === 'sent') return { phase: 'sent', answer, nextAttemptAt: null }
  if (result.kind === 'broken' && attempt.handedOver) return { phase: 'uncertain', answer, nextAttemptAt: null }
  if (result.kind === 'rejected' && result.permanent) {
    return { phase: 'failed', answer, nextAttemptAt: null, bounced: result.bounced }
  }
  return unsent(mail, answer, attempt)
}

/** The mail was not delivered: it is retried, for a day. */
export function unsent(mail: ClaimedMail, answer: string, { now, isAborted, random }: Attempt): Outcome {
  if (now.getTime() - mail.created_at.getTime() >= GIVE_UP_AFTER_MS) {
    return { phase: 'failed', answer, nextAttemptAt: null }
  }
  const pauseMs = isAborted ? 0 : mailRetryDelayMs(mail.attempts, { isAboutLink: isAboutLink(mail.kind), random })
  return { phase: 'queued', answer, nextAttemptAt: new Date(now.getTime() + pauseMs) }
}
