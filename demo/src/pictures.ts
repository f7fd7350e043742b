import { readdirSync, readFileSync } from 'node:fs'
import type { Item } from './catalog/item.ts'

const FOLDER = new URL('../pictures/', import.meta.url)

/** @returns the address of a picture; the service makes it absolute */
export const pictureUrl = (name: string): string => `/media/demo/${name}.svg`

/** Two pictures of each color, in the order of the colors: the grid shows the first and swaps to the second. */
export function imagesOf(item: Item) {
  return Object.keys(item.colors).flatMap((color) =>
    ['front', item.closeUp === true ? 'detail' : 'back'].map((view) => {
      const id = `${item.slug}-${slugOf(color)}-${view}`
      const alt = `${item.title} in ${color}, ${view === 'detail' ? 'close-up' : view}`
      return { id, url: pictureUrl(id), alt, width: 1200, height: 1500, color }
    }),
  )
}

/** Reads all pictures of the shop; the data has `/media/` before the path. */
export function* demoPictures(): Iterable<{ path: string; svg: string }> {
  for (const name of readdirSync(FOLDER)) {
    yield { path: `demo/${name}`, svg: readFileSync(new URL(name, FOLDER), 'utf8') }
  }
}

const slugOf = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
