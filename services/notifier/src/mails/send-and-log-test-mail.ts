import { recordAction } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { Actor } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { tooManyTestMails } from '../errors.ts'
import { admitTestMailTo } from './admit-test-mail.ts'
import type { Message } from './compose-message.ts'
import type { SendResult } from './mail-transport.ts'
import { storableReply } from './storable-reply.ts'
import { noteMails } from './mails.queries.ts'
import { countTestMails, insertTestMail, type TestMail } from './test-mails.queries.ts'

const WINDOW_MS = 60_000
/**
 * More than there are kinds of mail, so that a merchant can test all of them at once, and too few to flood a mailbox.
 */
const AT_MOST = 30

/**
 * Sends a test mail, and records its result in the log of mails.
 * @param test.keptMs how long it may take at most: later it counts as uncertain
 * @throws HttpError `rate_limited`
 */
export async function sendAndLogTestMail(
  { db, log, clock, worker, mailLimits }: NotifierContext,
  { mail, message, actor, keptMs }: { mail: TestMail; message: Message; actor: Actor; keptMs: number },
  send: (beforeEnd: () => Promise<void>) => Promise<SendResult>,
): Promise<SendResult> {
  await transaction(db, async (tx) => {
    const at = clock.now()
    const now = at.getTime()
    const { count, firstAt } = await countTestMails(tx, new Date(now - WINDOW_MS))
    if (count >= AT_MOST) {
      const waitMs = (firstAt?.getTime() ?? now) + WINDOW_MS - now
      throw tooManyTestMails(Math.max(1, Math.ceil(waitMs / 1000)))
    }
    await admitTestMailTo(tx, mail.recipient, { mailLimits, now: at })
    await insertTestMail(tx, mail, { worker, leaseMs: keptMs })
    // The recipient is left out: an audit is never changed, and an address is personal data.
    const subject = { kind: 'mail' as const, id: mail.id }
    await recordAction(tx, { actor, action: 'test', subject, after: { event: mail.kind }, at })
  })
  let handedOver = false
  const result = await send(() => {
    handedOver = true
    return Promise.resolve()
  })
  const reply = storableReply(result.answer, message)
  const unsent = result.kind === 'broken' && handedOver ? 'uncertain' : 'failed'
  const phase = result.kind === 'sent' ? 'sent' : unsent
  const bounced = result.kind === 'rejected' && result.bounced
  const outcome = { id: mail.id, phase, answer: reply, bounced, nextAttemptAt: null } as const
  await noteMails(db, worker, [outcome], clock.now())
  log.info({ mail: mail.id, kind: mail.kind, phase }, 'a test mail was attempted')
  return { ...result, answer: reply }
}
