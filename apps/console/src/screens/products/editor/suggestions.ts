const MAX_SLUG_LENGTH = 180
const MAX_SKU_LENGTH = 100

/** The slug that the shop makes from a title while no other product has it. */
export function suggestedSlug(title: string): string {
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
  return slug === '' && title.trim() !== '' ? 'product' : slug
}

/** The SKU that the shop gives to a variant without one. */
export function suggestedSku(slug: string, options: Readonly<Record<string, string>>): string {
  if (slug === '') return ''
  return [slug, ...Object.values(options).map(suggestedSlug)].join('-').toUpperCase().slice(0, MAX_SKU_LENGTH)
}
