import { accessories } from './accessories.ts'
import type { Item } from './item.ts'
import { kids } from './kids.ts'
import { menBottomsAndOuterwear } from './men-bottoms-outerwear.ts'
import { menTops } from './men-tops.ts'
import { womenBottomsAndOuterwear } from './women-bottoms-outerwear.ts'
import { womenDresses } from './women-dresses.ts'
import { womenTops } from './women-tops.ts'

export const items: Item[] = [
  ...womenTops,
  ...womenDresses,
  ...womenBottomsAndOuterwear,
  ...menTops,
  ...menBottomsAndOuterwear,
  ...accessories,
  ...kids,
]

export function itemNamed(slug: string): Item {
  const found = items.find((item) => item.slug === slug)
  if (found === undefined) throw new Error(`There is no garment "${slug}" in the demo shop.`)
  return found
}
