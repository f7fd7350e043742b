import { z } from 'zod'
import type { Tracking } from '@storefront/contracts'
import { incompleteTracking } from '../errors.ts'

export const TrackingBody = z.object({
  carrier: z.string().trim().max(100).default('').describe('The carrier of the parcel, such as UPS.'),
  code: z
    .string()
    .trim()
    .max(200)
    .default('')
    .describe('Tracking number of the parcel. Either it or `url` is required.'),
  url: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http or https address' })])
    .default('')
    .refine((url) => url.length <= 2000, 'must have at most 2000 characters')
    .describe('The page where the parcel can be tracked.'),
})

/**
 * A buyer can follow a parcel only with its carrier and a number or a link.
 * @throws HttpError `missing_fields` that names the missing fields
 */
export function requireCompleteTracking({ carrier, code, url }: Tracking): void {
  const missing = [...(carrier === '' ? ['carrier'] : []), ...(code === '' && url === '' ? ['code', 'url'] : [])]
  if (missing.length > 0) throw incompleteTracking(missing)
}

export function isSameTracking(one: Tracking | null, other: Tracking | null): boolean {
  return one?.carrier === other?.carrier && one?.code === other?.code && one?.url === other?.url
}
