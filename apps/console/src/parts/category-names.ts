interface Category {
  slug: string
  name: string
  parent: string | null
}

/** Categories as a merchant picks them: each with the names of its parents, in the order of the tree. */
export function categoryChoices(categories: readonly Category[]): { value: string; label: string }[] {
  const below = Map.groupBy(categories, ({ parent }) => parent)
  const choicesBelow = (parent: string | null, path: string): { value: string; label: string }[] =>
    (below.get(parent) ?? []).flatMap(({ slug, name }) => {
      const label = path === '' ? name : `${path} / ${name}`
      return [{ value: slug, label }, ...choicesBelow(slug, label)]
    })
  return choicesBelow(null, '')
}
