import { useState, type DragEvent, type HTMLAttributes } from 'react'
import type { Category } from './categories-queries.ts'
import { childrenOf, holds, type Place } from './category-order.ts'

type Zone = 'before' | 'inside' | 'after'

export interface CategoryDrag {
  /** @param isOpen whether its children are shown below it */
  rowProps: (category: Category, isOpen: boolean) => HTMLAttributes<HTMLDivElement>
}

/** Rows that are dragged before, behind or into each other. */
export function useCategoryDrag(
  categories: readonly Category[],
  onMove: (category: Category, place: Place) => void,
): CategoryDrag {
  const [dragged, setDragged] = useState<Category>()
  const [over, setOver] = useState<{ slug: string; zone: Zone }>()

  function end(): void {
    setDragged(undefined)
    setOver(undefined)
  }

  return {
    rowProps: (category, isOpen) => ({
      draggable: true,
      'data-over': over?.slug === category.slug ? over.zone : undefined,
      'data-dragged': dragged?.slug === category.slug || undefined,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', category.name)
        setDragged(category)
      },
      onDragEnd: end,
      onDragOver: (event: DragEvent) => {
        if (!dragged || holds(categories, dragged.slug, category.slug)) return
        event.preventDefault()
        const zone = zoneOf(event)
        if (over?.slug !== category.slug || over.zone !== zone) setOver({ slug: category.slug, zone })
      },
      onDragLeave: () => setOver(undefined),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        end()
        if (!dragged || holds(categories, dragged.slug, category.slug)) return
        onMove(dragged, placeAt(categories, { dragged, target: category, zone: zoneOf(event), isOpen }))
      },
    }),
  }
}

function zoneOf({ clientY, currentTarget }: DragEvent): Zone {
  const { top, height } = currentTarget.getBoundingClientRect()
  const share = (clientY - top) / height
  return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside'
}

interface Drop {
  dragged: Category
  target: Category
  zone: Zone
  isOpen: boolean
}

function placeAt(categories: readonly Category[], { dragged, target, zone, isOpen }: Drop): Place {
  const without = categories.filter((each) => each !== dragged)
  if (zone === 'inside') return { parent: target.slug, index: childrenOf(without, target.slug).length }
  // Below an open category is above its first child.
  if (zone === 'after' && isOpen) return { parent: target.slug, index: 0 }
  const index = childrenOf(without, target.parent).indexOf(target)
  return { parent: target.parent, index: zone === 'before' ? index : index + 1 }
}
