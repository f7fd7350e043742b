import { z } from 'zod'
import { Permission, type Actor } from '@storefront/contracts'

/** The user of a token or a key. */
export interface Caller {
  /** The session or the key: what can be revoked. */
  id: string
  actor: Actor
  /** Whether the token is for the console, and so accepted in its cookie only. */
  ofConsole: boolean
}

const known = new Set<string>(Permission.options)

/** A permission that this gateway does not know grants nothing here, and does not affect the others. */
export function knownPermissions(granted: readonly string[]): Permission[] {
  return z.array(Permission).parse(granted.filter((one) => known.has(one)))
}
