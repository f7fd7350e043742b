import { z } from 'zod'
import type { Tracking } from '@storefront/contracts'
import { incompleteTracking, twoTrackingNumbers } from '../errors.ts'

const ParcelNumber = z.string().trim().max(200)

export const TrackingBody = z.object({
  carrier: z.string().trim().max(100).default('').describe('Who brings the parcel, such as UPS.'),
  code: ParcelNumber.default('').describe('Number of the parcel. It or `url` is needed.'),
  number: ParcelNumber.default('').describe('Another name of `code`.'),
  url: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an address with http or https' })])
    .default('')
    .refine((url) => url.length <= 2000, 'must have at most 2000 characters')
    .describe('Where the parcel can be followed.'),
})
export type TrackingBody = z.output<typeof TrackingBody>

/**
 * What a merchant wrote, as it is kept.
 * @throws Refusal `validation_failed` for two numbers
 */
export function trackingOf({ carrier, code, number, url }: TrackingBody): Tracking {
  if (code !== '' && number !== '' && code !== number) throw twoTrackingNumbers({ code, number })
  return { carrier, code: code || number, url }
}

/**
 * A buyer can follow a parcel only by its carrier, and a number or a link.
 * @throws Refusal `missing_fields` that names what is missing
 */
export function requireCompleteTracking({ carrier, code, url }: Tracking): void {
  const missing = [...(carrier === '' ? ['carrier'] : []), ...(code === '' && url === '' ? ['code', 'url'] : [])]
  if (missing.length > 0) throw incompleteTracking(missing)
}

export function isSameTracking(one: Tracking | null, other: Tracking | null): boolean {
  return one?.carrier === other?.carrier && one?.code === other?.code && one?.url === other?.url
}
