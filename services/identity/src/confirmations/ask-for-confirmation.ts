import { publish } from '@storefront/chassis'
import { MailRequested, newId } from '@storefront/contracts'
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
 * Makes a confirmation and asks for the mail with its link, unless the address has had too many of them.
 * @returns whether it did
 */
export async function askForConfirmation(
  tx: Tx,
  { purpose, email, customer }: { purpose: Purpose; email: string; customer?: Addressee },
  now: Date,
): Promise<boolean> {
  const { lastsMs, mail, limits } = PURPOSES[purpose]
  if (!(await countMail(tx, { purpose, to: email, limits }, now))) return false
  const id = newId('confirmation')
  await insertConfirmation(tx, {
    id,
    purpose,
    customerId: customer?.id ?? null,
    email,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lastsMs),
  })
  await publish(tx, MailRequested, { kind: mail, to: email, confirmationId: id, ...addresseeOf(customer) }, now)
  return true
}

/** What a mail says of the person it is for. */
export function addresseeOf(customer: Addressee | undefined): { customerId?: string; name?: string } {
  if (!customer) return {}
  return { customerId: customer.id, ...(customer.first_name === '' ? {} : { name: customer.first_name }) }
}
