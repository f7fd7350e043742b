import { answer, Refusal, type ActorVerifier } from '@storefront/chassis'
import { ReadNotifierPersonalData } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { listCustomerMails, type CustomerMail } from './customer-mails.queries.ts'

/** All of an answer must fit into one message. */
const MAX_PAGE_BYTES = 256_000
/** A recipient has 320 bytes at most, a whole record some 500. */
const PAGE_MAILS = 400

/** A customer reads which mails were sent. */
export function customerMailsAnswer(context: NotifierContext & { verifyActor: ActorVerifier }): void {
  answer(context, ReadNotifierPersonalData, async ({ customerId, after = '0' }) => {
    const afterSeq = Number(after)
    if (!Number.isSafeInteger(afterSeq)) throw new Refusal('validation_failed', 'There is no such page.')
    const mails = await listCustomerMails(context.db, { customerId, afterSeq, limit: PAGE_MAILS })
    return pageOf(mails, { maxBytes: MAX_PAGE_BYTES, maxMails: PAGE_MAILS })
  })
}

/** As many of these mails as fit, and where the rest goes on. */
export function pageOf(mails: CustomerMail[], limits: { maxBytes: number; maxMails: number }) {
  const records: ReturnType<typeof show>[] = []
  let bytes = 0
  let last = 0
  for (const mail of mails) {
    const record = show(mail)
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1
    if (bytes > limits.maxBytes && records.length > 0) return { records, next: String(last) }
    records.push(record)
    last = mail.seq
  }
  return mails.length < limits.maxMails ? { records } : { records, next: String(last) }
}

function show({ kind, event_at: at, phase, recipient }: CustomerMail) {
  return { kind: 'mail', record: { kind, at: at.toISOString(), phase, ...(recipient === '' ? {} : { recipient }) } }
}
