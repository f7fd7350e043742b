import { ActionIcon, Menu } from '@mantine/core'
import { DotsHorizontalIcon } from '@radix-ui/react-icons'
import { useRef, type ReactNode } from 'react'

export interface RowAction {
  label: string
  /** Whether the action deletes or ends something: its text is red. */
  isDangerous?: boolean
  onClick: () => void
}

/** What can be done with a row of a table. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={label}>
          <DotsHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: text, isDangerous = false, onClick }) => (
          <Menu.Item
            key={text}
            {...(isDangerous && { c: 'var(--mantine-color-red-light-color)' })}
            onClick={() => {
              // A dialog that opens now returns the focus to the button: the menu will be gone.
              button.current?.focus()
              onClick()
            }}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
