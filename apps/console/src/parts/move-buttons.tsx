import { ArrowDownIcon, ArrowUpIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

interface MoveButtonsProps {
  index: number
  count: number
  /** The labels. */
  earlier: string
  later: string
  onMove: (to: number) => void
}

/** Move an item of a list by one place; `moveByButton` keeps the focus on them. */
export function MoveButtons({ index, count, earlier, later, onMove }: MoveButtonsProps): ReactNode {
  return (
    <>
      <IconButton
        icon={ArrowUpIcon}
        label={earlier}
        disabled={index === 0}
        data-way="earlier"
        onClick={() => onMove(index - 1)}
      />
      <IconButton
        icon={ArrowDownIcon}
        label={later}
        disabled={index === count - 1}
        data-way="later"
        onClick={() => onMove(index + 1)}
      />
    </>
  )
}
