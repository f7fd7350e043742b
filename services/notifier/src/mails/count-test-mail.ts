import type { Tx } from '../database.ts'
import { addMailCounts, lockMailCounts, readMailCounts } from './mail-counts.queries.ts'
import { countOrWithhold, testSubjectOf, type MailLimits } from './mail-limits.ts'

/** A stolen admin session must not flood a mailbox with test mails. @returns false when it received too many */
export async function countTestMailTo(
  tx: Tx,
  recipient: string,
  { mailLimits, now }: { mailLimits: MailLimits; now: Date },
): Promise<boolean> {
  const subjects = testSubjectOf(recipient, mailLimits)
  const names = subjects.map(({ subject }) => subject)
  await lockMailCounts(tx)
  const counts = await readMailCounts(tx, names, now)
  if (countOrWithhold(subjects, counts) !== undefined) return false
  await addMailCounts(tx, names, now)
  return true
}
