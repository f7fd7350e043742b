import { z } from 'zod'
import { Permission, type Actor } from '@storefront/contracts'

/** Who a token or a key speaks for. */
export interface Caller {
  /** The session or the key: what can be revoked. */
  id: string
  actor: Actor
}

const known = new Set<string>(Permission.options)

/** A permission this gateway has not heard of yet grants nothing here, and takes nothing else away. */
export function knownPermissions(granted: readonly string[]): Permission[] {
  return z.array(Permission).parse(granted.filter((one) => known.has(one)))
}
