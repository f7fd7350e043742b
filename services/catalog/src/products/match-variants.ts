/** The properties that identify a variant. */
export interface Named {
  id?: string | undefined
  sku?: string | undefined
  options?: Record<string, string> | undefined
}

/**
 * Matches each given variant with a variant of the product: by id, or else by SKU, or else by options. No variant is
 * matched twice, and a better match takes precedence, regardless of the order.
 * @returns the existing variant for each given one, in the same order
 */
export function matchVariants<Known extends Named>(
  given: readonly Named[],
  known: readonly Known[],
): (Known | undefined)[] {
  const found: (Known | undefined)[] = given.map(() => undefined)
  const free = new Set(known)
  for (const nameOf of [(each: Named) => each.id, (each: Named) => each.sku, keyOf]) {
    const byName = Map.groupBy(free, nameOf)
    given.forEach((each, index) => {
      const name = nameOf(each)
      if (found[index] !== undefined || name === undefined) return
      const match = byName.get(name)?.shift()
      if (!match) return
      free.delete(match)
      found[index] = match
    })
  }
  return found
}

const keyOf = ({ options = {} }: Named) => optionsKeyOf(options)

/**
 * The options of a variant as text, independent of their order. Old names and values may have surrounding white space.
 */
export function optionsKeyOf(options: Readonly<Record<string, string>>): string {
  const trimmed = Object.entries(options).map(([name, value]) => [name.trim(), value.trim()] as const)
  return JSON.stringify(trimmed.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
