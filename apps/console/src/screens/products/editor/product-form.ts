import type { AdminProduct } from '../products-queries.ts'
import { localTime } from '../../../parts/local-time.ts'
import { amountText } from '../../../parts/amounts.ts'

/** A picture of the product; while it is being uploaded its `url` is empty. */
export interface ImageRow {
  /** Identifies it on the screen and in the shop. */
  id: string
  url: string
  alt: string
  width: number | null
  height: number | null
  /** Color that it shows; empty for none. */
  color: string
  upload?: { name: string; preview: string; failure?: string }
}

export interface OptionRow {
  /** Identifies it on the screen. */
  key: string
  name: string
  values: string[]
}

/** A variant. What is empty is chosen by the shop or taken from the product. */
export interface VariantRow {
  /** Identifies it on the screen. */
  key: string
  /** Undefined for one that is not saved. */
  id: string | undefined
  options: Readonly<Record<string, string>>
  price: string
  compareAtPrice: string
  stock: string
  sku: string
  imageId: string
}

/** What the editor edits: texts as a person types them. Lists with one entry a line are texts too. */
export interface ProductForm {
  title: string
  subtitle: string
  description: string
  /** Null while it follows the title. */
  slug: string | null
  publication: Publication
  /** As the browser's input of date and time has it; empty for never. */
  publishAt: string
  unpublishAt: string
  price: string
  compareAtPrice: string
  categories: string[]
  tags: string[]
  images: ImageRow[]
  options: OptionRow[]
  swatches: Readonly<Record<string, string>>
  variants: VariantRow[]
  details: string
  care: string
  sizeChartId: string
  fit: FitForm
  fabric: FabricForm
  highlights: Pair[]
  specs: Pair[]
  features: FeatureForm[]
  assurances: AssuranceForm[]
  maker: { name: string; location: string }
  manufacturer: Readonly<Record<string, string>>
  pinnedBadges: Badge[]
  position: string
  relatedSlugs: string[]
}

/** Whether shoppers see it: now, not yet, or not before a time. */
export const PUBLICATIONS = ['published', 'later', 'draft'] as const
export type Publication = (typeof PUBLICATIONS)[number]

export type Verdict = NonNullable<NonNullable<AdminProduct['fit']>['verdict']>
export type Badge = AdminProduct['pinnedBadges'][number]
/** The value of an attribute. */
export interface Pair {
  key: string
  value: string
}
export interface FitForm {
  verdict: Verdict | ''
  note: string
  modelHeight: string
  modelSize: string
  modelLabel: string
}
export interface FabricForm {
  composition: { material: string; percent: string }[]
  weight: string
  weave: string
  origin: string
  certifications: string[]
}
interface FeatureForm {
  icon: string
  title: string
  body: string
}
interface AssuranceForm {
  icon: string
  label: string
  note: string
}

const PLACEHOLDER_IMAGE = 'placeholder'

let made = 0

/** @returns a name that no other row on the screen has */
export function newKey(): string {
  made += 1
  return `new-${made}`
}

export function emptyVariant(options: Readonly<Record<string, string>> = {}): VariantRow {
  return { key: newKey(), id: undefined, options, price: '', compareAtPrice: '', stock: '', sku: '', imageId: '' }
}

export function emptyForm(): ProductForm {
  return {
    title: '',
    subtitle: '',
    description: '',
    slug: null,
    publication: 'published',
    publishAt: '',
    unpublishAt: '',
    price: '',
    compareAtPrice: '',
    categories: [],
    tags: [],
    images: [],
    options: [],
    swatches: {},
    variants: [emptyVariant()],
    details: '',
    care: '',
    sizeChartId: '',
    fit: fitForm(undefined),
    fabric: fabricForm(undefined),
    highlights: [],
    specs: [],
    features: [],
    assurances: [],
    maker: { name: '', location: '' },
    manufacturer: {},
    pinnedBadges: [],
    position: '',
    relatedSlugs: [],
  }
}

/** The form of a saved product. The same product always gives an equal form. */
export function formOf(product: AdminProduct): ProductForm {
  const { title, subtitle, description, slug, published, publishAt, price, compareAtPrice, enrichment } = product
  const unpublished = publishAt === null ? 'draft' : 'later'
  return {
    title,
    subtitle,
    description,
    slug,
    publication: published ? 'published' : unpublished,
    publishAt: localMinute(publishAt),
    unpublishAt: localMinute(product.unpublishAt),
    price: amountText(price),
    compareAtPrice: compareAtPrice ? amountText(compareAtPrice) : '',
    categories: product.categories,
    tags: product.tags,
    images: imageRows(product),
    options: product.options.map(({ name, values }, index) => ({ key: `option-${index}`, name, values })),
    swatches: product.swatches,
    variants: product.variants.map((variant) => variantRow(variant, product)),
    details: product.details.join('\n'),
    care: product.care.join('\n'),
    sizeChartId: product.sizeChartId ?? '',
    fit: fitForm(product.fit),
    fabric: fabricForm(product.fabric),
    highlights: (enrichment?.highlights ?? []).map(({ key, value }) => ({ key, value })),
    specs: Object.entries(enrichment?.specs ?? {}).map(([key, value]) => ({ key, value })),
    features: (enrichment?.features ?? []).map(({ icon, title, body }) => ({ icon, title, body })),
    assurances: (enrichment?.assurances ?? []).map(({ icon, label, note = '' }) => ({ icon, label, note })),
    maker: { name: enrichment?.maker?.name ?? '', location: enrichment?.maker?.location ?? '' },
    manufacturer: enrichment?.manufacturer ?? {},
    pinnedBadges: product.pinnedBadges,
    position: product.position === null ? '' : String(product.position),
    relatedSlugs: product.relatedSlugs,
  }
}

/** Merchants enter minutes. */
function localMinute(at: string | null): string {
  return localTime(at).slice(0, 16)
}

/** A product without pictures shows a placeholder, which is not its own. */
function imageRows({ images }: AdminProduct): ImageRow[] {
  return images
    .filter(({ id }) => id !== PLACEHOLDER_IMAGE)
    .map(({ id, url, alt, width, height, color = '' }) => ({ id, url, alt, width, height, color }))
}

function variantRow(variant: AdminProduct['variants'][number], product: AdminProduct): VariantRow {
  const { id, sku, options, price, priceOverride, compareAtPrice, inventory, imageId } = variant
  const inheritsFormer = !priceOverride && compareAtPrice?.amount === product.compareAtPrice?.amount
  return {
    key: id,
    id,
    options,
    price: priceOverride ? amountText(price) : '',
    compareAtPrice: inheritsFormer || !compareAtPrice ? '' : amountText(compareAtPrice),
    stock: String(inventory),
    sku,
    // The first picture is shown for variants without one of their own.
    imageId: imageId === product.images[0]?.id ? '' : imageId,
  }
}

function fitForm(fit: AdminProduct['fit']): FitForm {
  return {
    verdict: fit?.verdict ?? '',
    note: fit?.note ?? '',
    modelHeight: fit?.model ? String(fit.model.height) : '',
    modelSize: fit?.model?.size ?? '',
    modelLabel: fit?.model?.label ?? '',
  }
}

function fabricForm(fabric: AdminProduct['fabric']): FabricForm {
  return {
    composition: (fabric?.composition ?? []).map(([material, percent]) => ({
      material: String(material),
      percent: String(percent),
    })),
    weight: fabric?.weight === undefined ? '' : String(fabric.weight),
    weave: fabric?.weave ?? '',
    origin: fabric?.origin ?? '',
    certifications: fabric?.certifications ?? [],
  }
}
