import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { tooManySignIns } from '../errors.ts'
import { normalisePassword } from './password.ts'
import { takeTurns } from './take-turns.ts'

/** Argon2id, the library's default variant, with the parameters of the OWASP password storage cheat sheet. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Leaves half of libuv's four threads, and one of two cores, to other requests than sign-ins. */
const MAX_UNDER_WAY = 2
/** Half a second to two of hashing, by machine; a request that would wait longer gets 503. */
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

/** Hashing runs on separate threads, a limited number at once: it must not block the other work of the shop. */
export async function createPasswordHasher(): Promise<PasswordHasher> {
  const inTurn = takeTurns({ atOnce: MAX_UNDER_WAY, waiting: MAX_WAITING, error: tooManySignIns })
  // Made from a random password, with the same parameters, so that comparing to it takes as long.
  const nobodysHash = await hash(randomBytes(32), PARAMETERS)
  return {
    hash: (password) => inTurn(() => hash(normalisePassword(password), PARAMETERS)),
    verify: (storedHash, password) =>
      inTurn(async () => {
        const matches = await verify(storedHash ?? nobodysHash, normalisePassword(password))
        return storedHash !== undefined && matches
      }),
  }
}
