import { z } from 'zod'
import type { EndedKeys } from '../api-keys/end-keys.ts'

/** In the body of what gives a user another password: whoever knew the one before may have made keys with it. */
export const RevokeKeys = z
  .boolean()
  .optional()
  .describe(
    'True revokes the secret keys of the user as well; left out, they go on, and the reply says how many there are.',
  )

/** What the reply says of the secret keys of the user. */
export const KeysAfter = z.object({
  activeKeys: z.int().describe('How many secret keys of the user go on; GET /admin/api-keys lists them.'),
  revokedKeys: z.int().describe('How many secret keys of the user this revoked.'),
})

export function keysAfter({ left, revoked }: EndedKeys): z.output<typeof KeysAfter> {
  return { activeKeys: left, revokedKeys: revoked.length }
}
