import type { Clock } from '@storefront/service'
import { fault, ok, type Finding } from './finding.ts'

/**
 * Signatures between services are valid for a minute, and machines compare deadlines: a larger difference causes
 * errors.
 */
const MAX_SKEW_MS = 2000

/**
 * Requests the time of another machine and compares it with that of this one.
 * @param precisionMs of the returned time, such as 1000 when it has no milliseconds
 */
export async function compareClocks(
  name: string,
  clock: Clock,
  readClock: () => Promise<number>,
  precisionMs = 1,
): Promise<Finding> {
  const beforeMs = clock.now().getTime()
  const theirsMs = await readClock()
  const afterMs = clock.now().getTime()
  const behindMs = beforeMs - (theirsMs + precisionMs)
  const aheadMs = theirsMs - afterMs
  const skewMs = Math.max(0, behindMs, aheadMs)
  const check = `clock of ${name}`
  if (skewMs <= MAX_SKEW_MS) return ok(check, 'agrees with this machine')
  const direction = aheadMs > 0 ? 'ahead of' : 'behind'
  return fault(
    check,
    `${(skewMs / 1000).toFixed(1)} s ${direction} this machine`,
    'Let every machine follow a time server (timedatectl set-ntp true), because signatures between services are valid for a minute.',
  )
}
