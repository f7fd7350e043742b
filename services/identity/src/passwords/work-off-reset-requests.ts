import type { Clock, Timer } from '@storefront/chassis'
import { emailOf } from '../accounts/account.ts'
import { findLockedAccount, findPassword } from '../accounts/accounts.queries.ts'
import type { Dependencies } from '../app.ts'
import { askForConfirmation } from '../confirmations/ask-for-confirmation.ts'
import { workOffRequests } from '../confirmations/work-off-requests.ts'
import type { Tx } from '../database.ts'
import { takeResetRequest } from './reset-requests.queries.ts'

/** Sends the requested links, later than the request: see `forgotPasswordRoute`. */
export function workOffResetRequests(dependencies: Pick<Dependencies, 'db' | 'clock' | 'log'>): Timer {
  return workOffRequests('password resets', dependencies, workOffOne)
}

/** @returns false when there was nothing to do */
async function workOffOne(tx: Tx, clock: Clock): Promise<boolean> {
  const request = await takeResetRequest(tx)
  if (!request) return false
  const holder = await findPassword(tx, request.canonical)
  const account = holder && (await findLockedAccount(tx, holder.id))
  const email = account && emailOf(account)
  if (!email) return true
  const { senders } = request
  await askForConfirmation(tx, { purpose: 'passwordReset', email, customer: account, senders }, clock.now())
  return true
}
