import { publish } from '@storefront/chassis'
import { mailboxOf, MailRequested, newId, type EmailAddress } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { PURPOSES, type Purpose } from './confirmation.ts'
import { insertConfirmation } from './confirmations.queries.ts'
import { countMail } from './recipient-mails.queries.ts'

/** Whom a mail is for, where there is an account. */
export interface Addressee {
  id: string
  first_name: string
}

/**
 * Makes a confirmation and asks for the mail with its link, unless the mailbox has had too many of them.
 * @returns whether it did
 */
export async function askForConfirmation(
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
  const { lastsMs, mail, limits } = PURPOSES[purpose]
  if (!(await countMail(tx, { purpose, mailbox: mailboxOf(email.canonical), limits }, now))) return false
  const id = newId('confirmation')
  await insertConfirmation(tx, {
    id,
    purpose,
    customerId: customer?.id ?? null,
    email,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lastsMs),
  })
  const unproven = { senders: [...senders] }
  const data = { kind: mail, to: email.canonical, confirmationId: id, ...addresseeOf(customer), unproven }
  await publish(tx, MailRequested, data, now)
  return true
}

/** What a mail says of the person it is for. */
export function addresseeOf(customer: Addressee | undefined): { customerId?: string; name?: string } {
  if (!customer) return {}
  return { customerId: customer.id, ...(customer.first_name === '' ? {} : { name: customer.first_name }) }
}
