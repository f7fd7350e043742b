import { tagKey } from '../../parts/merge-tags.ts'

/** @returns the tags of these orders, each once in its newest form, the most frequent first */
export function frequentTags(orders: readonly { tags?: string[] }[]): string[] {
  const found = new Map<string, { tag: string; count: number }>()
  for (const tag of orders.flatMap(({ tags = [] }) => tags)) {
    const known = found.get(tagKey(tag))
    if (known) known.count += 1
    else found.set(tagKey(tag), { tag, count: 1 })
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count).map(({ tag }) => tag)
}
