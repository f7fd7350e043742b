/** Paths of the shop are shorter; a client must not be able to fill the log. */
const SHOWN_LENGTH = 300
/**
 * Ids of carts, orders and payments grant access, and so does a secret key in place of its id: they must not be
 * logged.
 */
const CAPABILITY = /\/((?:cart|order|pay|sess|sk|demo_cs|link)_)[^/]+/g

/** @param isPublic whether the path names public data */
export function shownPath(path: string, isPublic: boolean): string {
  const start = path.length > SHOWN_LENGTH ? `${path.slice(0, SHOWN_LENGTH)}…` : path
  return isPublic ? start : start.replaceAll(CAPABILITY, '/$1…')
}
