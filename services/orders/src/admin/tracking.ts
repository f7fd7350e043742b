import { z } from 'zod'
import type { Tracking } from '@storefront/contracts'
import { incompleteTracking } from '../errors.ts'

export const TrackingBody = z.object({
  carrier: z.string().trim().max(100).default('').describe('Who brings the parcel, such as UPS.'),
  code: z.string().trim().max(200).default('').describe('Number of the parcel. It or `url` is needed.'),
  url: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an address with http or https' })])
    .default('')
    .refine((url) => url.length <= 2000, 'must have at most 2000 characters')
    .describe('Where the parcel can be followed.'),
})

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
