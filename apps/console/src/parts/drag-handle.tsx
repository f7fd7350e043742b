import { DragHandleDots2Icon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './drag-handle.module.css'
import type { Drag } from './use-drag.ts'

interface DragHandleProps {
  drag: Drag
  /** Of the item. */
  of: string
  /** Name of the item. */
  title: string
}

/** What a mouse or a finger drags an item by. Buttons or a menu do the same by keyboard. */
export function DragHandle({ drag, of, title }: DragHandleProps): ReactNode {
  const { t } = useTranslation()
  return (
    <span className={classes['handle']} title={t('common.drag', { title })} {...drag.handleProps(of)}>
      <DragHandleDots2Icon aria-hidden />
    </span>
  )
}
