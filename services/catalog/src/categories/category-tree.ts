import type { Category, FlatCategory } from '@storefront/contracts'

/** A category and its parent. */
interface CategoryNode {
  slug: string
  parent: string | null
}

/**
 * Builds the tree from flat rows, each level in the order of the rows. A row whose parent is missing becomes a root.
 */
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
 * The level of each category in the tree, beginning with 1 for a category without a parent. Categories in a cycle or
 * below one have no level.
 */
export function levelsOf(categories: readonly CategoryNode[]): Map<string, number> {
  const given = new Set(categories.map(({ slug }) => slug))
  const childrenOf = Map.groupBy(categories, ({ parent }) => (parent !== null && given.has(parent) ? parent : null))
  const levels = new Map<string, number>()
  let row = childrenOf.get(null) ?? []
  for (let level = 1; row.length > 0; level++) {
    for (const { slug } of row) levels.set(slug, level)
    row = row.flatMap(({ slug }) => childrenOf.get(slug) ?? [])
  }
  return levels
}

/** Sorts categories without a cycle so that a parent comes before its children. */
export function parentsFirst<Row extends CategoryNode>(categories: readonly Row[]): Row[] {
  const levels = levelsOf(categories)
  const levelOf = ({ slug }: Row) => levels.get(slug) ?? 0
  return categories.toSorted((one, other) => levelOf(one) - levelOf(other))
}

/** The maximum depth of the tree, because responses are nested as deeply. */
export const MAX_LEVELS = 20

/**
 * Why a category cannot have this parent; undefined when it can.
 * @param categories all existing ones, without a cycle
 */
export function parentFault(
  categories: readonly CategoryNode[],
  slug: string,
  parent: string | null,
): 'unknown parent' | 'cycle' | 'too deep' | undefined {
  if (parent === null) return undefined
  const parents = new Map(categories.map((each) => [each.slug, each.parent]))
  const above = lineOf(parents, parent)
  if (above.includes(slug)) return 'cycle'
  if (!parents.has(parent)) return 'unknown parent'
  // The index of this category in the ancestors of another is the number of levels between them, or -1.
  const levelsBelow = categories.reduce((most, each) => Math.max(most, lineOf(parents, each.slug).indexOf(slug)), 0)
  return above.length + 1 + levelsBelow > MAX_LEVELS ? 'too deep' : undefined
}

/** A category and its ancestors, from the bottom up, ending before a repeated one. */
function lineOf(parents: ReadonlyMap<string, string | null>, slug: string): string[] {
  const line = new Set<string>()
  for (let each: string | null = slug; each !== null && !line.has(each); each = parents.get(each) ?? null)
    line.add(each)
  return [...line]
}
