import type { Colourway, Item } from '../catalogue/item.ts'
import type { Cloth } from '../drawing/texture.ts'
import { closeUp, photograph } from '../drawing/studio.ts'
import type { ProductImage } from '../shop.ts'
import { mediaUrl, slugOf } from './slug.ts'

const pathOf = (item: Item, colour: string, view: string): string => `demo/${item.slug}-${slugOf(colour)}-${view}.svg`

export function clothOf(item: Item, [, hex, accent]: Colourway): Cloth {
  return { hex, texture: item.texture, ...(accent === undefined ? {} : { accent }) }
}

/** Two pictures a color, in the order of the colors: the grid shows the first and swaps to the second. */
export function imagesOf(item: Item): ProductImage[] {
  return item.colours.flatMap(([colour]) =>
    (['front', item.garment.second] as const).map((view) => ({
      id: `${item.slug}-${slugOf(colour)}-${view}`,
      url: mediaUrl(pathOf(item, colour, view)),
      alt: `${item.title} in ${colour}, ${view === 'detail' ? 'close-up' : view}`,
      width: 1200,
      height: 1500,
      color: colour,
    })),
  )
}

export function* picturesOf(item: Item): Iterable<{ path: string; svg: string }> {
  for (const colourway of item.colours) {
    const cloth = clothOf(item, colourway)
    yield { path: pathOf(item, colourway[0], 'front'), svg: photograph(item.garment, cloth, 'front') }
    const second =
      item.garment.second === 'back' ? photograph(item.garment, cloth, 'back') : closeUp(item.garment, cloth)
    yield { path: pathOf(item, colourway[0], item.garment.second), svg: second }
  }
}
