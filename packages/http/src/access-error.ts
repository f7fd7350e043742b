import type { Access, Actor } from '@storefront/contracts'
import { HttpError } from '@storefront/service'

/** The error for an actor on a route of this access; undefined when the actor may pass. */
export function accessErrorFor(access: Access | undefined, actor: Actor): HttpError | undefined {
  if (access === undefined || access === 'public' || access === 'internal') return undefined
  if (access === 'customer') {
    if (actor.kind === 'customer') return undefined
    return new HttpError('unauthenticated', 'Please sign in to continue.')
  }
  if (actor.kind === 'anonymous') return new HttpError('unauthenticated', 'Please sign in to continue.')
  if (access === 'admin-user') {
    return actor.kind === 'admin' && actor.sessionId !== undefined ? undefined : notAllowed()
  }
  if (actor.kind === 'admin' && actor.permissions.includes(access.admin)) return undefined
  return notAllowed({ permission: access.admin })
}

function notAllowed(detail?: { permission: string }): HttpError {
  return new HttpError('forbidden', 'You are not allowed to do this.', { detail })
}
