const MAX_SLUG_LENGTH = 180

/**
 * The slug that the shop makes from a title while no other record has it.
 * @param otherwise for a title without a single Latin letter or digit
 */
export function slugOf(title: string, otherwise: string): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/-+$/g, '')
  return slug === '' && title.trim() !== '' ? otherwise : slug
}
