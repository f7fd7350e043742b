/** As many as the browser of a guest keeps. */
export const MAX_SAVED = 48
const MAX_SLUG = 200

/** Reads the wishlist that a browser sends. @param sent slugs, joined by commas, newest first */
export function readSavedList(sent: string | null): string[] {
  const slugs = (sent ?? '').split(',').filter((slug) => slug !== '' && slug.length <= MAX_SLUG)
  return [...new Set(slugs)].slice(0, MAX_SAVED)
}
