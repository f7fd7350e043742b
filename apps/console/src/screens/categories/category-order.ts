import { movesBack, movesTo, type Move, type Ordered } from '../../parts/order.ts'

/** What is needed of a category to find its position. */
interface Placed extends Ordered {
  parent: string | null
}

/** A position among the children of a parent, counted without the category that is moved. */
export interface TreePosition {
  parent: string | null
  index: number
}

export interface CategoryMove extends Move {
  parent: string | null
}

export type Step = 'up' | 'down' | 'into' | 'out'

/** @param categories in their order */
export function childrenOf<Each extends Placed>(categories: readonly Each[], parent: string | null): Each[] {
  return categories.filter((each) => each.parent === parent)
}

/** Whether a category is the other one, or is above it. */
export function isSelfOrAncestor(categories: readonly Placed[], slug: string, other: string | null): boolean {
  for (let above = other; above !== null; above = categories.find((one) => one.slug === above)?.parent ?? null) {
    if (above === slug) return true
  }
  return false
}

/** Where one step of the keyboard leads; undefined where there is no such position. */
export function positionAfterStep(categories: readonly Placed[], slug: string, step: Step): TreePosition | undefined {
  const moved = categories.find((each) => each.slug === slug)
  if (!moved) return undefined
  const siblings = childrenOf(categories, moved.parent)
  const index = siblings.indexOf(moved)
  const previous = siblings[index - 1]
  if (step === 'up') return index > 0 ? { parent: moved.parent, index: index - 1 } : undefined
  if (step === 'down') return index < siblings.length - 1 ? { parent: moved.parent, index: index + 1 } : undefined
  if (step === 'into') {
    return previous && { parent: previous.slug, index: childrenOf(categories, previous.slug).length }
  }
  const parent = categories.find((each) => each.slug === moved.parent)
  return parent && { parent: parent.parent, index: childrenOf(categories, parent.parent).indexOf(parent) + 1 }
}

/** What to save so that a category stands at a position, last first. */
export function movesToPosition(
  categories: readonly Placed[],
  slug: string,
  { parent, index }: TreePosition,
): CategoryMove[] {
  return movesTo(childrenOf(categories, parent), slug, index).map((move) => ({ ...move, parent }))
}

/** Where the moved categories stand now, to bring them back. */
export function movesBackFrom(categories: readonly Placed[], moves: readonly CategoryMove[]): CategoryMove[] {
  return movesBack(categories, moves).map((move) => ({
    ...move,
    parent: categories.find(({ slug }) => slug === move.slug)?.parent ?? null,
  }))
}
