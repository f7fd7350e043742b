/** @returns the set with an item that was not in it, or without one that was */
export function toggled(items: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const next = new Set(items)
  if (!next.delete(item)) next.add(item)
  return next
}
