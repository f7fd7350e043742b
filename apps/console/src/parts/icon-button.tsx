import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentType, MouseEvent, ReactNode } from 'react'

interface IconButtonProps extends ActionIconProps {
  icon: ComponentType
  label: string
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
  'data-way'?: 'earlier' | 'later'
}

/** A small button with a drawing; its name is read aloud and shown when the pointer rests on it. */
export function IconButton({ icon: Icon, label, ...props }: IconButtonProps): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} {...props}>
      <Icon />
    </ActionIcon>
  )
}
