import type { Tx } from '../database.ts'
import { tooManyTestMailsTo } from '../errors.ts'
import { addMailCounts, lockMailCounts, readMailCounts, readMailSpans } from './mail-counts.queries.ts'
import { allowedAgainAt, countOrWithhold, testSubjectOf, type MailLimits } from './mail-limits.ts'

/**
 * Counts a test mail for its mailbox, which a stolen admin session must not flood.
 * @throws HttpError `rate_limited`, with the time at which the mailbox may get the next one; then it is not counted
 */
export async function admitTestMailTo(
  tx: Tx,
  recipient: string,
  { mailLimits, now }: { mailLimits: MailLimits; now: Date },
): Promise<void> {
  const counted = testSubjectOf(recipient, mailLimits)
  if (!counted) return
  const { subject } = counted
  await lockMailCounts(tx)
  if (countOrWithhold([counted], await readMailCounts(tx, [subject], now)) !== undefined) {
    const waitMs = allowedAgainAt(counted, await readMailSpans(tx, subject, now)).getTime() - now.getTime()
    throw tooManyTestMailsTo(Math.max(1, Math.ceil(waitMs / 1000)))
  }
  await addMailCounts(tx, [subject], now)
}
