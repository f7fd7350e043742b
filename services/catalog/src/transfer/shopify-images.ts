import { createHash } from 'node:crypto'
import { storedUrl } from '../products/product-response.ts'
import type { ImportPicture } from './pictures.queries.ts'
import { quoted, type CellReader, type CsvRow } from './shopify-row.ts'

const MAX_ALT_CHARACTERS = 500
/** Pictures without a position come after those with one. */
const LAST = 1_000_000

export interface CsvImage {
  id: string
  url: string
  alt: string
  place: number
  row: CsvRow
  column: 'Image Src' | 'Variant Image'
}

/**
 * The pictures of a product by their addresses in the file. A picture of a variant is one of the product's, too.
 * @param rows of one product
 */
export function imagesOf(rows: readonly CsvRow[], cells: CellReader): Map<string, CsvImage> {
  const images = new Map<string, CsvImage>()
  const add = (row: CsvRow, column: CsvImage['column'], about: { alt: string; place: number }) => {
    const url = cells.text(row, column)
    if (url === '' || images.has(url)) return
    images.set(url, { id: imageIdOf(url), url, ...about, row, column })
  }
  for (const row of rows) {
    const alt = cells.text(row, 'Image Alt Text').slice(0, MAX_ALT_CHARACTERS)
    add(row, 'Image Src', { alt, place: placeOf(row, cells) ?? LAST + images.size })
  }
  for (const row of rows) add(row, 'Variant Image', { alt: '', place: LAST + images.size })
  return images
}

/** The same address has the same id in every import. */
export function imageIdOf(url: string): string {
  return `img_${createHash('sha1').update(url).digest('hex').slice(0, 24)}`
}

function placeOf(row: CsvRow, cells: CellReader): number | undefined {
  const text = cells.text(row, 'Image Position')
  if (/^\d{1,6}$/.test(text)) return Number(text)
  if (text !== '') cells.fault(row, 'Image Position', `must be a whole number such as 1, not ${quoted(text)}`)
  return undefined
}

/** The images in the order in which the product shows them. */
export function inOrder(images: ReadonlyMap<string, CsvImage>): CsvImage[] {
  return [...images.values()].toSorted((one, other) => one.place - other.place)
}

/** The pictures that are on other servers. */
export function picturesElsewhere(images: readonly CsvImage[], cells: CellReader, publicUrl: string): ImportPicture[] {
  return images
    .filter(({ url }) => /^https?:\/\/\S+$/.test(storedUrl(url, publicUrl)) && url.length <= 2000)
    .map(({ url, row, column }) => ({ url, path: cells.at(row, column) }))
}
