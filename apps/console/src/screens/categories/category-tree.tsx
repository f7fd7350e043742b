import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toggled } from '../../parts/toggled.ts'
import type { Drag } from '../../parts/use-drag.ts'
import type { Category } from './categories-queries.ts'
import { childrenOf, positionAfterStep, type Step, type TreePosition } from './category-order.ts'
import { CategoryRow, nameId, type CategoryAction } from './category-row.tsx'
import classes from './category-tree.module.css'
import { moveCategory } from './move-category.ts'
import { useCategoryDrag } from './use-category-drag.ts'

interface CategoryTreeProps {
  categories: readonly Category[]
  canWrite: boolean
  onAction: (action: CategoryAction, category: Category) => void
}

/** All categories below each other; those with children can be closed. */
export function CategoryTree({ categories, canWrite, onAction }: CategoryTreeProps): ReactNode {
  const { t } = useTranslation()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  /** The category that was moved last, and whether it has had the focus since. */
  const moved = useRef<{ slug: string; hadFocus: boolean }>(undefined)

  function move(category: Category, position: TreePosition): void {
    // What is moved stays visible.
    if (position.parent !== null && closed.has(position.parent)) setClosed(toggled(closed, position.parent))
    moved.current = { slug: category.slug, hadFocus: false }
    void moveCategory(category, position)
  }

  // The focus is lost when the element moves, or is created again below its new parent: with the move, and again
  // when the list is read during the move.
  useEffect(() => {
    const { current } = moved
    if (!current || (current.hadFocus && document.activeElement !== document.body)) return
    document.getElementById(nameId(current.slug))?.focus({ preventScroll: current.hadFocus })
    current.hadFocus = true
  }, [categories])

  function step(category: Category, way: Step): void {
    const position = positionAfterStep(categories, category.slug, way)
    if (position) move(category, position)
  }

  const drag = useCategoryDrag({
    categories,
    isOpen: (slug) => !closed.has(slug) && childrenOf(categories, slug).length > 0,
    onMove: move,
  })
  return (
    <Level
      parent={null}
      label={t('screens.categories')}
      categories={categories}
      closed={closed}
      canWrite={canWrite}
      drag={drag}
      onToggle={(slug) => setClosed(toggled(closed, slug))}
      onStep={step}
      onAction={onAction}
    />
  )
}

interface LevelProps extends CategoryTreeProps {
  parent: string | null
  label?: string
  closed: ReadonlySet<string>
  drag: Drag
  onToggle: (slug: string) => void
  onStep: (category: Category, step: Step) => void
}

function Level({ parent, label, ...shared }: LevelProps): ReactNode {
  const { categories, closed, canWrite, drag, onToggle, onStep, onAction } = shared
  return (
    <ul className={classes['list']} aria-label={label}>
      {childrenOf(categories, parent).map((category) => {
        const hasChildren = categories.some((each) => each.parent === category.slug)
        const isOpen = !closed.has(category.slug)
        return (
          <li key={category.slug} data-slug={category.slug}>
            <CategoryRow
              category={category}
              categories={categories}
              hasChildren={hasChildren}
              isOpen={isOpen}
              canWrite={canWrite}
              drag={drag}
              onToggle={() => onToggle(category.slug)}
              onStep={(step) => onStep(category, step)}
              onAction={(action) => onAction(action, category)}
            />
            {hasChildren && isOpen && <Level parent={category.slug} {...shared} />}
          </li>
        )
      })}
    </ul>
  )
}
