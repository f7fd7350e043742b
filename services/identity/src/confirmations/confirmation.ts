import type { AccountMailKind } from '@storefront/contracts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

export type Purpose = 'newsletter' | 'emailVerification' | 'emailChange' | 'passwordReset'

/** So many mails within this time, and no more. */
export interface MailLimit {
  atMost: number
  withinMs: number
}

interface PurposeRules {
  lastsMs: number
  /** Where its link leads: below the address of the storefront's account pages, or of the shop itself. */
  path: string
  mail: AccountMailKind
  /**
   * Anybody can have these sent to anybody, so they count by address. Each purpose by itself: who floods an address with one
   * of them must not keep its owner from the others, nor learn from one what came of another.
   */
  limits: readonly MailLimit[]
}

/** Two clicks on one button are one wish. */
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
      // Many: whoever asks for them all in somebody else's name must not keep that person from a new password for long.
      { atMost: 20, withinMs: DAY_MS },
    ],
  },
}

/** One account can ask for this at many addresses. */
export const EMAIL_CHANGES: readonly MailLimit[] = [{ atMost: 10, withinMs: DAY_MS }]

/** The longest time that a limit looks back. */
export const LIMITS_LOOK_BACK_MS = DAY_MS

export interface Confirmation {
  id: string
  purpose: Purpose
  customer_id: string | null
  email: string
  email_canonical: string | null
  expires_at: Date
  used_at: Date | null
}

export function isOpen(confirmation: Confirmation, now: Date): boolean {
  return confirmation.used_at === null && confirmation.expires_at > now
}

/** Whether one more mail is within every limit. @param askedAt when mails of this purpose were asked for before */
export function isWithinLimits(limits: readonly MailLimit[], askedAt: readonly Date[], now: Date): boolean {
  return limits.every(
    ({ atMost, withinMs }) => askedAt.filter((at) => at.getTime() > now.getTime() - withinMs).length < atMost,
  )
}
