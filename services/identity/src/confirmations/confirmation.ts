import { HOUR_MS, DAY_MS } from '@storefront/service'
import type { AccountMailKind } from '@storefront/contracts'
import type { Row } from '../database.ts'

export type Purpose = 'newsletter' | 'emailVerification' | 'emailChange' | 'passwordReset'

/** The maximum number of mails within this time. */
export interface MailLimit {
  atMost: number
  withinMs: number
}

interface PurposeRules {
  lastsMs: number
  /** The page of its link: below the storefront's account pages, or on the shop itself. */
  path: string
  mail: Exclude<AccountMailKind, 'paymentLink'>
  /**
   * Anyone can have these mails sent to any address, so they are counted by address. Each purpose counts separately:
   * flooding an address with one of them must not block the others for its owner, nor reveal the result of another.
   */
  limits: readonly MailLimit[]
}

/** A double click sends one mail. */
const ONE_CLICK: MailLimit = { atMost: 1, withinMs: 5000 }

const FEW: readonly MailLimit[] = [
  { atMost: 3, withinMs: HOUR_MS },
  { atMost: 5, withinMs: DAY_MS },
]

export const PURPOSES: Record<Purpose, PurposeRules> = {
  newsletter: { lastsMs: 7 * DAY_MS, path: '/newsletter/confirm', mail: 'newsletterConfirmation', limits: FEW },
  emailVerification: {
    lastsMs: 7 * DAY_MS,
    path: '/auth/email/verify',
    mail: 'emailVerification',
    limits: FEW,
  },
  emailChange: {
    lastsMs: DAY_MS,
    path: '/auth/email/verify',
    mail: 'emailChange',
    limits: FEW,
  },
  passwordReset: {
    lastsMs: HOUR_MS,
    path: '/auth/password/reset',
    mail: 'passwordReset',
    limits: [
      ONE_CLICK,
      { atMost: 5, withinMs: HOUR_MS },
      // High, so that a person who requests them all for another person's address does not block that person for long.
      { atMost: 20, withinMs: DAY_MS },
    ],
  },
}

/** One account can request this for many addresses. */
export const EMAIL_CHANGES: readonly MailLimit[] = [{ atMost: 10, withinMs: DAY_MS }]

/** The longest time that a limit looks back. */
export const LIMITS_LOOK_BACK_MS = DAY_MS

export type Confirmation = Omit<Row<'confirmations'>, 'created_at'>

export function isOpen(confirmation: Confirmation, now: Date): boolean {
  return confirmation.used_at === null && confirmation.expires_at > now
}

/**
 * Whether one more mail is within every limit. @param requestedAt the times of earlier requests for mails of this
 * purpose
 */
export function isWithinLimits(limits: readonly MailLimit[], requestedAt: readonly Date[], now: Date): boolean {
  return limits.every(
    ({ atMost, withinMs }) => requestedAt.filter((at) => at.getTime() > now.getTime() - withinMs).length < atMost,
  )
}
