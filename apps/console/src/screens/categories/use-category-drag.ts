import { useDrag, type Drag, type Drop } from '../../parts/use-drag.ts'
import type { Category } from './categories-queries.ts'
import { childrenOf, isSelfOrAncestor, type TreePosition } from './category-order.ts'

interface CategoryDragProps {
  categories: readonly Category[]
  /** Whether the children of a category are shown below it. */
  isOpen: (slug: string) => boolean
  onMove: (category: Category, position: TreePosition) => void
}

/** Rows that are dragged before, behind or into each other. */
export function useCategoryDrag({ categories, isOpen, onMove }: CategoryDragProps): Drag {
  return useDrag({
    zoneAt(dragged, over, share) {
      if (isSelfOrAncestor(categories, dragged, over)) return undefined
      if (share < 0.25) return 'before'
      return share > 0.75 ? 'after' : 'inside'
    },
    onDrop(dragged, drop) {
      const category = categories.find(({ slug }) => slug === dragged)
      const position = dropPosition(
        categories.filter((each) => each !== category),
        drop,
        isOpen,
      )
      if (category && position) onMove(category, position)
    },
  })
}

/** @param others all categories but the dragged one */
function dropPosition(
  others: readonly Category[],
  { key, zone }: Drop,
  isOpen: (slug: string) => boolean,
): TreePosition | undefined {
  const target = others.find(({ slug }) => slug === key)
  if (!target) return undefined
  const { slug, parent } = target
  if (zone === 'inside') return { parent: slug, index: childrenOf(others, slug).length }
  // Below an open category is above its first child.
  if (zone === 'after' && isOpen(slug)) return { parent: slug, index: 0 }
  const index = childrenOf(others, parent).indexOf(target)
  return { parent, index: zone === 'before' ? index : index + 1 }
}
