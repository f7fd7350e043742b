import { DependencyUnavailable, type Log } from '@storefront/service'
import { SettleClaims } from '@storefront/contracts'
import type { Messaging } from './messaging.ts'
import { sendRequest } from './requests.ts'

/** Claims by what orders has decided about them; those in neither list are undecided. */
interface SettledClaims {
  ordered: string[]
  /** No order will ever use them. */
  abandoned: string[]
}

/**
 * What orders has decided about claims on goods or discounts whose deadline has passed.
 * @param held what the claims hold, for the log
 * @returns undefined while orders does not reply: nothing may be released then
 */
export async function settleClaims(
  { messaging, log }: { messaging: Messaging; log: Log },
  claims: string[],
  held: string,
): Promise<SettledClaims | undefined> {
  try {
    const { verdicts } = await sendRequest(messaging, SettleClaims, { claims })
    const claimsOf = (verdict: string) => verdicts.filter((each) => each.verdict === verdict).map(({ claim }) => claim)
    return { ordered: claimsOf('ordered'), abandoned: claimsOf('abandoned') }
  } catch (error) {
    if (!(error instanceof DependencyUnavailable)) throw error
    log.warn({ held: claims.length }, `${held} stay held until orders replies`)
    return undefined
  }
}
