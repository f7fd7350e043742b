import { publish } from '@storefront/chassis'
import { MailRequested, newId } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { isWithinLimits, LIMITS_LOOK_BACK_MS, PURPOSES, type Purpose } from './confirmation.ts'
import { insertConfirmation, listTimesAsked } from './confirmations.queries.ts'

/** Whom a mail is for, where there is an account. */
export interface Addressee {
  id: string
  first_name: string
}

/** Makes a confirmation and asks for the mail with its link. */
export async function askForConfirmation(
  tx: Tx,
  { purpose, email, customer }: { purpose: Purpose; email: string; customer?: Addressee },
  now: Date,
): Promise<void> {
  const { lastsMs, mail } = PURPOSES[purpose]
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
}

/** What a mail says of the person it is for. */
export function addresseeOf(customer: Addressee | undefined): { customerId?: string; name?: string } {
  if (!customer) return {}
  return { customerId: customer.id, ...(customer.first_name === '' ? {} : { name: customer.first_name }) }
}

/** Whether an account may have one more mail of this purpose now. Needs the lock on the account. */
export async function mayMailAgain(tx: Tx, customerId: string, purpose: Purpose, now: Date): Promise<boolean> {
  const askedAt = await listTimesAsked(tx, customerId, purpose, new Date(now.getTime() - LIMITS_LOOK_BACK_MS))
  return isWithinLimits(PURPOSES[purpose].limits, askedAt, now)
}
