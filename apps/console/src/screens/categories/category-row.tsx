import { ActionIcon, Text, UnstyledButton } from '@mantine/core'
import { ChevronDownIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DragHandle } from '../../parts/drag-handle.tsx'
import { numeral } from '../../parts/formats.ts'
import { Thumbnail } from '../../parts/picture.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import type { Drag } from '../../parts/use-drag.ts'
import type { Category } from './categories-queries.ts'
import { positionAfterStep, type Step } from './category-order.ts'
import classes from './category-tree.module.css'

export type CategoryAction = 'edit' | 'add' | 'delete'

const STEPS: readonly Step[] = ['up', 'down', 'into', 'out']
const STEP_OF_KEY: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'into',
  ArrowLeft: 'out',
}

interface CategoryRowProps {
  category: Category
  categories: readonly Category[]
  hasChildren: boolean
  isOpen: boolean
  canWrite: boolean
  drag: Drag
  onToggle: () => void
  onStep: (step: Step) => void
  onAction: (action: CategoryAction) => void
}

/** The id of the element that takes the focus for a category. */
export function nameId(slug: string): string {
  return `category-${slug}`
}

/** One category: opened by its name, moved by pointer, keys or menu. */
export function CategoryRow(props: CategoryRowProps): ReactNode {
  const { category, categories, hasChildren, isOpen, canWrite, drag, onToggle, onStep, onAction } = props
  const { t } = useTranslation()
  const { slug, name, productCount, image } = category

  function press(event: KeyboardEvent): void {
    const step = event.altKey ? STEP_OF_KEY[event.key] : undefined
    if (step === undefined) return
    // Otherwise the browser goes back.
    event.preventDefault()
    onStep(step)
  }

  const steps = STEPS.filter((step) => positionAfterStep(categories, slug, step) !== undefined)
  return (
    <div className={classes['row']} {...(canWrite && { ...drag.itemProps(slug), onKeyDown: press })}>
      {canWrite && <DragHandle drag={drag} of={slug} title={name} />}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t(isOpen ? 'categories.collapse' : 'categories.expand', { name })}
        aria-expanded={isOpen}
        onClick={onToggle}
        {...(!hasChildren && { style: { visibility: 'hidden' } })}
      >
        {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
      </ActionIcon>
      <Thumbnail url={image?.url} />
      {canWrite ? (
        <UnstyledButton
          id={nameId(slug)}
          className={classes['name']}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
          onClick={() => onAction('edit')}
        >
          {name}
        </UnstyledButton>
      ) : (
        <span className={classes['name']}>{name}</span>
      )}
      <Text c="dimmed" className="nowrap">
        {t('categories.count', { count: productCount, number: numeral(productCount) })}
      </Text>
      {canWrite && (
        <RowMenu
          label={t('categories.menu', { name })}
          actions={[
            { label: t('categories.editAction'), onClick: () => onAction('edit') },
            { label: t('categories.add'), onClick: () => onAction('add') },
            ...steps.map((step) => ({ label: t(`categories.step.${step}`), onClick: () => onStep(step) })),
            { label: t('categories.delete'), isDangerous: true, onClick: () => onAction('delete') },
          ]}
        />
      )}
    </div>
  )
}
