const MAX_LENGTH = 180

/**
 * Makes a slug from a title: `Été en Lin` becomes `ete-en-lin`.
 * @returns an empty text for a title without a single Latin letter or digit
 */
export function latinSlug(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH)
    .replaceAll(/-+$/g, '')
}
