import { isOwner, type Actor } from '@storefront/contracts'

/** A note, of an order or of a buyer, is deleted by its author or by an owner. */
export function mayDeleteNote(actor: Actor, { author }: { author: string }): boolean {
  return actor.kind === 'admin' && (actor.userId === author || isOwner(actor.permissions))
}
