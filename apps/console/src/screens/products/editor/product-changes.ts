import type { components } from '@storefront/client'
import { isSame } from '../../../parts/is-same.ts'
import { utcTime } from '../../../parts/local-time.ts'
import { readCount, readMoney } from '../../../parts/amounts.ts'
import type { FabricForm, FitForm, Pair, ProductForm } from './product-form.ts'
import { changedVariants } from './variant-changes.ts'

type Input = components['schemas']['ProductPatchInput']
type Image = NonNullable<Input['images']>[number]
/** A product in a request, without what only an upload has. */
export type ProductPatch = Omit<Input, 'images'> & { images?: Omit<Image, 'type' | 'duration'>[] }
type Fields = Omit<ProductPatch, 'variants' | 'badges' | 'createdAt'>

const FIELDS = [
  'title',
  'slug',
  'subtitle',
  'description',
  'details',
  'care',
  'price',
  'compareAtPrice',
  'images',
  'options',
  'swatches',
  'categories',
  'tags',
  'pinnedBadges',
  'published',
  'publishAt',
  'unpublishAt',
  'position',
  'fit',
  'fabric',
  'sizeChartId',
  'enrichment',
  'relatedSlugs',
] as const satisfies readonly (keyof Fields)[]

/** What differs between the form and the product that was read: only this is sent. */
export function changesOf(form: ProductForm, before: ProductForm, currency: string): ProductPatch {
  const patch: ProductPatch = fieldsOf(form, currency)
  const former = fieldsOf(before, currency)
  for (const field of FIELDS) if (isSame(patch[field], former[field])) delete patch[field]
  const variants = changedVariants(form, before, currency)
  return { ...patch, ...(variants && { variants }) }
}

function fieldsOf(form: ProductForm, currency: string): Fields {
  const price = readMoney(form.price, currency)
  return {
    title: form.title.trim(),
    ...(form.slug !== null && { slug: form.slug.trim() }),
    subtitle: form.subtitle.trim(),
    description: form.description.trim(),
    details: linesOf(form.details),
    care: linesOf(form.care),
    ...(price && { price }),
    compareAtPrice: readMoney(form.compareAtPrice, currency) ?? null,
    images: form.images
      .filter(({ url }) => url !== '')
      .map(({ id, url, alt, width, height, color }) => ({
        id,
        url,
        alt: alt.trim(),
        width,
        height,
        color: color === '' ? null : color,
      })),
    options: form.options.map(({ name, values }) => ({ name: name.trim(), values })),
    swatches: form.swatches,
    categories: form.categories,
    tags: form.tags,
    pinnedBadges: form.pinnedBadges,
    published: form.publication === 'published',
    publishAt: utcTime(form.publishAt),
    unpublishAt: utcTime(form.unpublishAt),
    position: form.position.trim() === '' ? null : Number(form.position),
    fit: fitOf(form.fit),
    fabric: fabricOf(form.fabric),
    sizeChartId: form.sizeChartId === '' ? null : form.sizeChartId,
    enrichment: enrichmentOf(form),
    relatedSlugs: form.relatedSlugs,
  }
}

export function isFilled(text: string): boolean {
  return text.trim() !== ''
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function fitOf({ verdict, note, modelHeight, modelSize, modelLabel }: FitForm): NonNullable<Fields['fit']> | null {
  const height = readCount(modelHeight)
  const label = modelLabel.trim()
  const fit = {
    ...(verdict !== '' && { verdict }),
    ...(isFilled(note) && { note: note.trim() }),
    ...(height !== undefined && { model: { height, size: modelSize, ...(label !== '' && { label }) } }),
  }
  return Object.keys(fit).length === 0 ? null : fit
}

function fabricOf({
  composition,
  weight,
  weave,
  origin,
  certifications,
}: FabricForm): NonNullable<Fields['fabric']> | null {
  const materials = composition.filter(({ material }) => isFilled(material))
  const fabric = {
    composition: materials.map(({ material, percent }): [string, number] => [material.trim(), decimalOf(percent)]),
    ...(isFilled(weight) && { weight: decimalOf(weight) }),
    ...(isFilled(weave) && { weave: weave.trim() }),
    ...(isFilled(origin) && { origin: origin.trim() }),
    ...(certifications.length > 0 && { certifications }),
  }
  return materials.length === 0 && Object.keys(fabric).length === 1 ? null : fabric
}

function enrichmentOf(form: ProductForm): NonNullable<Fields['enrichment']> | null {
  const highlights = pairsOf(form.highlights)
  const specs = pairsOf(form.specs)
  const features = form.features.filter(({ title, body }) => isFilled(`${title}${body}`))
  const assurances = form.assurances.filter(({ label }) => isFilled(label))
  const manufacturer = Object.entries(form.manufacturer).filter(([, value]) => isFilled(value))
  const enrichment = {
    ...(highlights.length > 0 && { highlights }),
    ...(features.length > 0 && { features }),
    ...(assurances.length > 0 && {
      assurances: assurances.map(({ icon, label, note }) => ({
        icon,
        label,
        ...(isFilled(note) && { note: note.trim() }),
      })),
    }),
    ...(isFilled(form.maker.name) && { maker: form.maker }),
    ...(specs.length > 0 && { specs: Object.fromEntries(specs.map(({ key, value }) => [key, value])) }),
    ...(manufacturer.length > 0 && { manufacturer: Object.fromEntries(manufacturer) }),
  }
  return Object.keys(enrichment).length === 0 ? null : enrichment
}

function pairsOf(pairs: readonly Pair[]): Pair[] {
  return pairs.filter(({ key, value }) => isFilled(key) && isFilled(value))
}

/** A number with a point or a comma before the decimals; NaN, which the editor reports, when it is none. */
export function decimalOf(text: string): number {
  const plain = text.trim().replace(',', '.')
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
}
