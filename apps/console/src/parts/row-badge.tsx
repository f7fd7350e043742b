import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

export type BadgeColor = 'gray' | 'red' | 'orange' | 'yellow' | 'teal' | 'cyan' | 'blue' | 'indigo'

interface RowBadgeProps {
  color: BadgeColor
  /** An outline is for words of the shop: gray, small, and cut when the word is long. */
  variant?: 'light' | 'filled' | 'dot' | 'outline'
  children: ReactNode
}

const { root = '', label = '', 'root--dot': dot = '' } = Badge.classes

/** The library's badge, of plain elements: a list has a hundred of them, and the library computes the colors of each again. */
export function RowBadge({ color, variant = 'light', children }: RowBadgeProps): ReactNode {
  return (
    <div
      className={variant === 'dot' ? `${dot} ${root} row-badge` : `${root} row-badge`}
      data-variant={variant}
      data-color={color}
    >
      <span className={label}>{children}</span>
    </div>
  )
}
