import { pageForMessage, replyTo } from '@storefront/messaging'
import { HttpError } from '@storefront/service'
import { ReadNotifierPersonalData } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { listCustomerMails, type CustomerMail } from './customer-mails.queries.ts'

/** A recipient has 320 bytes at most, a whole record some 500. */
const PAGE_MAILS = 400

/** The mails to a customer, for the export of their personal data. */
export function replyToReadPersonalData(context: NotifierContext): void {
  replyTo(context, ReadNotifierPersonalData, async ({ customerId, after = '0' }) => {
    const afterSeq = Number(after)
    if (!Number.isSafeInteger(afterSeq)) throw new HttpError('validation_failed', 'This page does not exist.')
    const mails = await listCustomerMails(context.db, { customerId, afterSeq, limit: PAGE_MAILS })
    return pageForMessage(mails, { limit: PAGE_MAILS, recordOf: show, nextOf: ({ seq }) => String(seq) })
  })
}

function show({ kind, event_at: at, phase, recipient }: CustomerMail) {
  return { kind: 'mail', record: { kind, at: at.toISOString(), phase, ...(recipient === '' ? {} : { recipient }) } }
}
