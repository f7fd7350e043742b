import type { BoardSettings } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { boardSettingsOf } from '../settings/board-settings.ts'
import { findSettings, type Settings } from '../settings/settings.queries.ts'

/** The public key of another provider says nothing about Razorpay's. */
const RAZORPAY_KEY_ID = /^rzp_\w{1,100}$/

/** The settings of the price projection as they are now. Razorpay's key id may also stand in `checkout.publicKey`. */
export async function readBoardSettings(db: Database): Promise<BoardSettings> {
  const stored = await findSettings(db)
  const settings = boardSettingsOf(stored)
  const razorpayKeyId = settings.razorpayKeyId ?? publicKeyOf(stored)
  return { ...settings, ...(razorpayKeyId !== undefined && { razorpayKeyId }) }
}

function publicKeyOf({ document }: Settings): string | undefined {
  const publicKey: unknown = document.checkout?.['publicKey']
  return typeof publicKey === 'string' && RAZORPAY_KEY_ID.test(publicKey) ? publicKey : undefined
}
