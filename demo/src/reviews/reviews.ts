import { itemNamed } from '../catalog/items.ts'
import { daysBefore } from '../dates.ts'
import { pick, seeded } from '../random.ts'
import { writtenBriefly } from './written-briefly.ts'
import { written, type Written } from './written.ts'

const firstNames =
  'Maren Jonas Priya Luca Hannah Oisín Yuki Chloé Marcus Ines Sofia Anders Beth Ravi Greta Tunde Alma Pavel Ruth Diego Freya Samir Nell Viktor Imogen Hugo Leila Thomas Wren Kofi Astrid Ben'.split(
    ' ',
  )
const initials = 'A. B. C. D. F. G. H. K. L. M. N. P. R. S. T. V. W. Ø.'.split(' ')

export function reviews(now: Date) {
  return [written, writtenBriefly].flatMap((source, round) =>
    Object.entries(source).flatMap(([product, list]) =>
      list.map((entry, index) => review(now, product, entry, `${round} ${index}`)),
    ),
  )
}

/** The texts are as written; author and date are drawn from a seed. */
function review(now: Date, product: string, [rating, fit, size, body]: Written, seed: string) {
  const item = itemNamed(product)
  const random = seeded(`review ${product} ${seed}`)
  const shortest = item.categories.some((category) => category.startsWith('men-')) ? 172 : 158
  const height = item.tags.includes('kids') ? 92 + Math.floor(random() * 14) : shortest + Math.floor(random() * 22)
  const oldest = Math.max(1, Math.min(item.age - 2, 300))
  return {
    product,
    author: `${pick(random, firstNames)} ${pick(random, initials)}`,
    rating,
    body,
    createdAt: daysBefore(now, Math.floor(random() * oldest), random),
    verified: random() < 0.84,
    size,
    height: `${height} cm`,
    fit,
    photos: [],
  }
}
