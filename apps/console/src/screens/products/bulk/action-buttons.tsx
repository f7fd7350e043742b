import { Button, Menu } from '@mantine/core'
import { ChevronDownIcon } from '@radix-ui/react-icons'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkActionName } from './change-draft.ts'

/** What merchants do most often. */
const BUTTONS = ['sale', 'publish', 'hide'] as const satisfies readonly BulkActionName[]
const IN_MENU = ['end-sale', 'price', 'tags', 'categories'] as const satisfies readonly BulkActionName[]

interface ActionButtonsProps {
  onOpen: (action: BulkActionName) => void
  /** Left out where deleting is not possible. */
  onDelete?: () => void
}

/** The bulk edits to choose from. */
export function ActionButtons({ onOpen, onDelete }: ActionButtonsProps): ReactNode {
  const { t } = useTranslation()
  const more = useRef<HTMLButtonElement>(null)
  const fromMenu = (work: () => void) => () => {
    // A dialog that opens now returns the focus to the button: the menu will be gone.
    more.current?.focus()
    work()
  }
  return (
    <>
      {BUTTONS.map((action) => (
        <Button key={action} size="xs" onClick={() => onOpen(action)}>
          {t(`products.bulk.actions.${action}`)}
        </Button>
      ))}
      <Menu withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button ref={more} size="xs" rightSection={<ChevronDownIcon />}>
            {t('products.bulk.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {IN_MENU.map((action) => (
            <Menu.Item key={action} onClick={fromMenu(() => onOpen(action))}>
              {t(`products.bulk.actions.${action}`)}
            </Menu.Item>
          ))}
          {onDelete && (
            <Menu.Item c="var(--mantine-color-red-light-color)" onClick={fromMenu(onDelete)}>
              {t('products.bulk.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
