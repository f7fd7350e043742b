import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { tooManySignIns } from '../errors.ts'
import { normalizePassword } from './password.ts'
import { limitConcurrency } from '@storefront/service'

/** Parameters of Argon2id, the library's default variant; memory in KiB. */
const PARAMETERS = {
  /** Those of the OWASP password storage cheat sheet. */
  standard: { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 },
  /** The smallest that the algorithm permits. */
  lowest: { memoryCost: 8, timeCost: 1, parallelism: 1 },
}
type PasswordHashCost = keyof typeof PARAMETERS
/** Leaves half of libuv's four threads, and one of two cores, to other requests than sign-ins. */
const MAX_UNDER_WAY = 2
/** Half a second to two seconds of hashing, depending on the machine. Further requests get 503. */
const MAX_WAITING = 64

export interface PasswordHasher {
  /** @throws HttpError `service_unavailable` when too many are waiting */
  hash(password: string): Promise<string>
  /**
   * Takes the same time with and without a stored hash.
   * @returns false when there is no stored hash
   * @throws HttpError `service_unavailable` when too many are waiting
   */
  verify(storedHash: string | undefined, password: string): Promise<boolean>
}

/**
 * Hashing runs on separate threads, a limited number at once: it must not block the other work of the shop.
 * @param cost of new hashes; a stored one is verified at the cost with which it was made
 */
export async function createPasswordHasher(cost: PasswordHashCost): Promise<PasswordHasher> {
  const parameters = PARAMETERS[cost]
  const limited = limitConcurrency({ atOnce: MAX_UNDER_WAY, waiting: MAX_WAITING, error: tooManySignIns })
  // The hash of a random password with the same parameters, so that a comparison takes the same time.
  const decoyHash = await hash(randomBytes(32), parameters)
  return {
    hash: (password) => limited(() => hash(normalizePassword(password), parameters)),
    verify: (storedHash, password) =>
      limited(async () => {
        const matches = await verify(storedHash ?? decoyHash, normalizePassword(password))
        return storedHash !== undefined && matches
      }),
  }
}
