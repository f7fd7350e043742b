import { z } from 'zod'
import type { EndedKeys } from '../api-keys/end-keys.ts'

/**
 * A field of requests that set a user's password: a person who knew the previous password may have created keys.
 */
export const RevokeKeys = z
  .boolean()
  .optional()
  .describe(
    'True revokes the secret keys of the user as well; if omitted, they stay valid, and the response says how many there are.',
  )

/** The part of the response about the user's secret keys. */
export const KeysAfter = z.object({
  activeKeys: z.int().describe('How many secret keys of the user stay valid; GET /admin/api-keys lists them.'),
  revokedKeys: z.int().describe('How many secret keys of the user were revoked.'),
})

export function keysAfter({ left, revoked }: EndedKeys): z.output<typeof KeysAfter> {
  return { activeKeys: left, revokedKeys: revoked.length }
}
