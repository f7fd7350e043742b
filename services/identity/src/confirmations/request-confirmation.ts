import { publish } from '@storefront/messaging'
import { mailboxOf, MailRequested, newId, type EmailAddress } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { PURPOSES, type Purpose } from './confirmation.ts'
import { insertConfirmation } from './confirmations.queries.ts'
import { countMail } from './recipient-mails.queries.ts'

/** The recipient of a mail, if they have an account. */
interface Addressee {
  id: string
  first_name: string
}

/**
 * Creates a confirmation and requests the mail with its link, unless the mailbox has received too many.
 * @returns whether the mail was requested
 */
export async function requestConfirmation(
  tx: Tx,
  request: {
    purpose: Purpose
    email: EmailAddress
    customer?: Addressee
    /** Keys of the client that caused it, from `clientKeysOf`. */
    senders: readonly string[]
  },
  now: Date,
): Promise<boolean> {
  const { purpose, email, customer, senders } = request
  const { mail, limits } = PURPOSES[purpose]
  if (!(await countMail(tx, { purpose, mailbox: mailboxOf(email.canonical), limits }, now))) return false
  const id = newId('confirmation')
  await insertConfirmation(tx, { id, purpose, customer_id: customer?.id ?? null, email }, now)
  const unproven = { senders: [...senders] }
  const data = { kind: mail, to: email.canonical, confirmationId: id, ...addresseeOf(customer), unproven }
  await publish(tx, MailRequested, data, now)
  return true
}

/** The recipient's data that a mail contains. */
export function addresseeOf(customer: Addressee | undefined): { customerId?: string; name?: string } {
  if (!customer) return {}
  return { customerId: customer.id, ...(customer.first_name === '' ? {} : { name: customer.first_name }) }
}
