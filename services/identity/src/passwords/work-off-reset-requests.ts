import { randomInt } from 'node:crypto'
import { every, isOutage, transaction, type Timer } from '@storefront/chassis'
import { findLockedAccount, findPassword } from '../accounts/accounts.queries.ts'
import type { Dependencies } from '../app.ts'
import { askForConfirmation, mayMailAgain } from '../confirmations/ask-for-confirmation.ts'
import type { Tx } from '../database.ts'
import { takeResetRequest } from './reset-requests.queries.ts'

/** Picks up what another copy left behind when it crashed. */
const SWEEP_MS = 10_000
/** What comes meanwhile is worked off together: one request cannot be told by how busy the service is after it. */
const GAP_MS = 500
const LONGEST_DELAY_MS = 500

/** Sends the links that were asked for, at another moment than the request: see `forgotPasswordRoute`. */
export function workOffResetRequests({ db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>): Timer {
  const work = async () => {
    try {
      // One transaction for each: when the service stops in the middle, what is left is still written down.
      while (await transaction(db, (tx) => workOffOne(tx, clock.now())));
    } catch (error) {
      if (!isOutage(error)) throw error
      log.debug({ err: error }, 'requests for new passwords wait until the database is back')
    }
  }
  const timer = every(SWEEP_MS, 'password resets', log, work, { gapMs: GAP_MS })
  // What a crash left behind.
  timer.poke()
  return {
    stop: () => timer.stop(),
    // At a moment that nobody outside knows, for whoever would measure what the next request had to wait for.
    poke: () => void setTimeout(() => timer.poke(), randomInt(LONGEST_DELAY_MS)).unref(),
  }
}

/** @returns false when there was nothing to do */
async function workOffOne(tx: Tx, now: Date): Promise<boolean> {
  const request = await takeResetRequest(tx)
  if (!request) return false
  const holder = await findPassword(tx, request.email)
  const account = holder && (await findLockedAccount(tx, holder.id))
  if (account && (await mayMailAgain(tx, account.id, 'passwordReset', now))) {
    await askForConfirmation(tx, { purpose: 'passwordReset', email: account.email, customer: account }, now)
  }
  return true
}
