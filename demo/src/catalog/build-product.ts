import type { Money } from '@storefront/contracts'
import { daysBefore } from '../dates.ts'
import { imagesOf } from '../pictures.ts'
import { seeded } from '../random.ts'
import type { Item } from './item.ts'

interface Variant {
  sku: string
  options: Record<string, string>
  price?: Money
  inventory: number
  imageId?: string
}

const usd = (amount: number): Money => ({ amount, currency: 'USD' })

export function buildProduct(item: Item, now: Date) {
  const images = imagesOf(item)
  const hasSizes = item.sizes.length > 0
  const colors = Object.keys(item.colors)
  return {
    slug: item.slug,
    title: item.title,
    subtitle: item.subtitle,
    description: item.description,
    details: item.details,
    care: item.care,
    price: usd(item.price),
    compareAtPrice: item.was === undefined ? null : usd(item.was),
    images,
    options: hasSizes
      ? [...(colors.length > 0 ? [{ name: 'Color', values: colors }] : []), { name: 'Size', values: item.sizes }]
      : [],
    swatches: item.colors,
    variants: colors.flatMap((color) => variantsOf(item, color, images.find((image) => image.color === color)?.id)),
    categories: item.categories,
    tags: item.tags,
    published: item.draft !== true,
    createdAt: daysBefore(now, item.age, seeded(`created ${item.slug}`)),
    ...(item.badges === undefined ? {} : { badges: item.badges }),
    ...(item.position === undefined ? {} : { position: item.position }),
    ...(item.fit === undefined ? {} : { fit: item.fit }),
    ...(item.fabric === undefined ? {} : { fabric: item.fabric }),
    ...(item.chart === undefined ? {} : { sizeChartId: item.chart }),
    ...(item.enrichment === undefined ? {} : { enrichment: item.enrichment }),
    ...(item.related === undefined ? {} : { relatedSlugs: item.related }),
  }
}

function variantsOf(item: Item, color: string, imageId: string | undefined): Variant[] {
  const image = imageId === undefined ? {} : { imageId }
  if (item.sizes.length === 0)
    return [{ sku: item.code, options: {}, inventory: inventoryOf(item, color, 'One size'), ...image }]
  const made = item.only?.[color] ?? item.sizes
  return item.sizes
    .filter((size) => made.includes(size))
    .map((size) => {
      const price = item.prices?.[`${color}/${size}`] ?? item.prices?.[size] ?? item.prices?.[color]
      return {
        sku: [item.code, skuPart(color), ...(size === 'One size' ? [] : [skuPart(size)])].join('-'),
        options: { Color: color, Size: size },
        ...(price === undefined ? {} : { price: usd(price) }),
        inventory: inventoryOf(item, color, size),
        ...image,
      }
    })
}

const skuPart = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '')

function inventoryOf(item: Item, color: string, size: string): number {
  const counts = item.counts ?? {}
  const exact = counts[`${color}/${size}`] ?? counts[size] ?? counts[color] ?? counts['*']
  if (exact !== undefined) return exact
  if (item.stock === 'none') return 0
  const random = seeded(`stock ${item.slug} ${color} ${size}`)
  const [chance, level] = [random(), random()]
  if (item.stock === 'plenty') return 120 + Math.floor(level * 200)
  if (chance < 0.12) return 0
  if (chance < 0.28) return 1 + Math.floor(level * 4)
  return 6 + Math.floor(level * level * 54)
}
