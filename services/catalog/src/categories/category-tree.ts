import type { Category, CategoryInput, FlatCategory } from '@storefront/contracts'

/** Builds the tree from flat rows, each level in the order of the rows. A row whose parent is missing becomes a root. */
export function treeOf(rows: readonly FlatCategory[]): Category[] {
  const nodes = new Map<string, Category & { children: Category[] }>(
    rows.map((row) => [row.slug, { ...row, children: [] }]),
  )
  const roots: Category[] = []
  for (const node of nodes.values()) {
    const parent = node.parent === null ? undefined : nodes.get(node.parent)
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  return roots
}

/**
 * Orders categories so that a parent comes before its children.
 * @returns the slugs that stand in a circle instead, when there are any
 */
export function parentsFirst(
  categories: readonly CategoryInput[],
): { ordered: CategoryInput[]; circle: undefined } | { ordered: undefined; circle: string[] } {
  const ordered: CategoryInput[] = []
  const placed = new Set<string>()
  const given = new Set(categories.map((category) => category.slug))
  let left = [...categories]
  while (left.length > 0) {
    const ready = left.filter(({ parent }) => parent === null || placed.has(parent) || !given.has(parent))
    if (ready.length === 0) return { ordered: undefined, circle: left.map((category) => category.slug) }
    ordered.push(...ready)
    for (const { slug } of ready) placed.add(slug)
    left = left.filter((category) => !placed.has(category.slug))
  }
  return { ordered, circle: undefined }
}
