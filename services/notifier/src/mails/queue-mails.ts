import { afterCommit } from '@storefront/postgres'
import { readEmailAddress, type Unproven } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { holdDeletions } from './customer-mails.queries.ts'
import { addMailCounts, lockMailCounts, readMailCounts } from './mail-counts.queries.ts'
import { countOrWithhold, subjectsOf, type MailLimits } from './mail-limits.ts'
import { countMail } from './mail-metrics.ts'
import { findWithheldOrders, insertMails, withholdFollowers, type NewMail } from './mails.queries.ts'

export interface RequestedMail extends NewMail {
  /** Set when an outsider can have caused it: then limits apply. */
  unproven?: Unproven | undefined
}

/**
 * Kinds that follow the first mail of their order: while that is withheld, so are they. Canceling a hundred fake
 * orders must not send what the limits have withheld. An order that was shipped has been checked by a merchant.
 */
const FOLLOWERS: ReadonlySet<string> = new Set(['paymentCaptured', 'refunded', 'cancelled'])
const FOLLOWS_WITHHELD = 'the first mail of this order is withheld'

/**
 * Queues mails, but none about what happened before its buyer's data were deleted. Withholds those that exceed the
 * limits for outsiders: they are kept in the log, from which a merchant may send them.
 */
export async function queueMails(
  tx: Tx,
  { clock, log, mailLimits }: Pick<NotifierContext, 'clock' | 'log' | 'mailLimits'>,
  requested: readonly RequestedMail[],
): Promise<void> {
  if (requested.length === 0) return
  await holdDeletions(tx)
  const now = clock.now()
  const limited = requested.some(({ unproven, kind }) => unproven !== undefined || FOLLOWERS.has(kind))
  if (!limited) return insertMails(tx, requested, now)

  await lockMailCounts(tx)
  const followers = requested.filter(({ kind }) => FOLLOWERS.has(kind))
  const withheldOrders = await findWithheldOrders(tx, referencesOf(followers))
  const counted = requested.map((mail) => ({ mail, subjects: countedSubjectsOf(mail, mailLimits) }))
  const allSubjects = counted.flatMap(({ subjects }) => subjects.map(({ subject }) => subject))
  const counts = await readMailCounts(tx, allSubjects, now)
  const subjectsOfSent: string[] = []
  const decided = counted.map(({ mail, subjects }) => {
    const follows = FOLLOWERS.has(mail.kind) && withheldOrders.has(mail.reference)
    const withheld = follows ? FOLLOWS_WITHHELD : countOrWithhold(subjects, counts)
    if (withheld === undefined) subjectsOfSent.push(...subjects.map(({ subject }) => subject))
    return { ...mail, withheld }
  })
  await insertMails(tx, decided, now)
  await addMailCounts(tx, subjectsOfSent, now)
  const firstMailsWithheld = decided.filter(({ kind, withheld }) => kind === 'orderPlaced' && withheld !== undefined)
  const withheldFollowers = await withholdFollowers(tx, {
    references: referencesOf(firstMailsWithheld),
    kinds: [...FOLLOWERS],
    reason: FOLLOWS_WITHHELD,
    now,
  })
  const withheld = [
    ...decided.flatMap(({ id, kind, reference, withheld: reason }) =>
      reason ? [{ id, kind, reference, reason }] : [],
    ),
    ...withheldFollowers.map((mail) => ({ ...mail, reason: FOLLOWS_WITHHELD })),
  ]
  afterCommit(tx, () => {
    for (const { id: mail, kind, reference, reason } of withheld) {
      countMail(kind, 'withheld')
      log.warn({ mail, kind, reference, reason }, 'a mail was withheld')
    }
  })
}

function referencesOf(mails: readonly NewMail[]): string[] {
  return mails.map(({ reference }) => reference)
}

function countedSubjectsOf({ kind, recipient, unproven }: RequestedMail, limits: MailLimits) {
  const canonical = readEmailAddress(recipient)?.canonical
  return unproven === undefined || canonical === undefined
    ? []
    : subjectsOf({ kind, recipient: canonical, unproven }, limits)
}
