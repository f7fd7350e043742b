import { latinSlug } from '@storefront/contracts/slug'

/**
 * The slug that the shop makes from a title while no other record has it.
 * @param otherwise for a title without a single Latin letter or digit
 */
export function slugOf(title: string, otherwise: string): string {
  const slug = latinSlug(title)
  return slug === '' && title.trim() !== '' ? otherwise : slug
}

/** Whether the shop takes this text as a slug. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}
