import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface IconButtonProps extends ActionIconProps {
  label: string
  onClick: () => void
  'data-way'?: 'earlier' | 'later'
  children: ReactNode
}

/** A small button with a drawing; its name is read aloud and shown when the pointer rests on it. */
export function IconButton({ label, children, ...props }: IconButtonProps): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} {...props}>
      {children}
    </ActionIcon>
  )
}
