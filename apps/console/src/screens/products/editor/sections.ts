/** The parts of the editor in their order. */
export const SECTIONS = [
  'basics',
  'images',
  'price',
  'variants',
  'organization',
  'texts',
  'fit',
  'fabric',
  'specs',
  'promises',
  'maker',
  'search',
] as const
export type SectionName = (typeof SECTIONS)[number]

/** What most products need is open at first. */
export const OPEN_AT_FIRST: readonly SectionName[] = ['basics', 'images', 'price', 'variants', 'organization']

const SECTION_OF: Readonly<Record<string, SectionName>> = {
  title: 'basics',
  subtitle: 'basics',
  description: 'basics',
  images: 'images',
  price: 'price',
  compareAtPrice: 'price',
  options: 'variants',
  variants: 'variants',
  swatches: 'variants',
  published: 'organization',
  publishAt: 'organization',
  unpublishAt: 'organization',
  categories: 'organization',
  tags: 'organization',
  pinnedBadges: 'organization',
  position: 'organization',
  relatedSlugs: 'organization',
  details: 'texts',
  care: 'texts',
  fit: 'fit',
  sizeChartId: 'fit',
  fabric: 'fabric',
  'enrichment.highlights': 'specs',
  'enrichment.specs': 'specs',
  'enrichment.features': 'promises',
  'enrichment.assurances': 'promises',
  'enrichment.maker': 'maker',
  'enrichment.manufacturer': 'maker',
  slug: 'search',
}

/** @param path of a field in a request, such as `variants.3.sku` */
export function sectionOf(path: string): SectionName {
  const [first = '', second = ''] = path.split('.')
  return SECTION_OF[`${first}.${second}`] ?? SECTION_OF[first] ?? 'basics'
}
