export { seeded } from '@storefront/demo/random'

export type Random = () => number

/** A whole number from `least` to `most`, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

/** Picks items in proportion to their weights. */
export function weighted<Item>(items: readonly Item[], weightOf: (item: Item, index: number) => number) {
  let sum = 0
  const ends = items.map((item, index) => (sum += weightOf(item, index)))
  return (random: Random): Item => {
    const point = random() * sum
    const item = items[ends.findIndex((end) => point < end)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
}

/** Picks as people choose words: the first often, the last hardly ever (Zipf). */
export function skewed<Item>(items: readonly Item[], exponent = 1) {
  return weighted(items, (_, index) => (index + 1) ** -exponent)
}

/** `count` different items, or as many as there are. */
export function distinct<Item>(random: Random, count: number, choose: (random: Random) => Item): Item[] {
  const chosen = new Set<Item>()
  for (let attempt = 0; chosen.size < count && attempt < count * 20; attempt++) chosen.add(choose(random))
  return [...chosen]
}
