import { processRequests } from '@storefront/jobs'
import { transaction } from '@storefront/postgres'
import type { Clock, Timer } from '@storefront/service'
import { emailOf } from '../accounts/account.ts'
import { findLockedAccount, findPassword } from '../accounts/accounts.queries.ts'
import type { IdentityContext } from '../context.ts'
import { takeMailRequest } from '../confirmations/mail-requests.queries.ts'
import { requestConfirmation } from '../confirmations/request-confirmation.ts'
import type { Tx } from '../database.ts'

/** Sends the requested links after the response to their request, see `forgotPasswordRoute`. */
export function processResetRequests({ db, clock, log }: Pick<IdentityContext, 'db' | 'clock' | 'log'>): Timer {
  return processRequests('password resets', log, () => transaction(db, (tx) => processOne(tx, clock)))
}

/** @returns false when there was nothing to do */
async function processOne(tx: Tx, clock: Clock): Promise<boolean> {
  const request = await takeMailRequest(tx, 'password_reset_requests')
  if (!request) return false
  const holder = await findPassword(tx, request.email?.canonical)
  const account = holder && (await findLockedAccount(tx, holder.id))
  const email = account && emailOf(account)
  if (!email) return true
  const { senders } = request
  await requestConfirmation(tx, { purpose: 'passwordReset', email, customer: account, senders }, clock.now())
  return true
}
