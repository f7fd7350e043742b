import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { AvatarIcon } from '@radix-ui/react-icons'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const AccountMenuItems = lazy(async () => ({ default: (await import('./account-menu-items.tsx')).AccountMenuItems }))

/** Who is signed in, colors, language, signing out: loaded when it is opened first. */
export function AccountMenu(): ReactNode {
  const { t } = useTranslation()
  const [used, { open }] = useDisclosure()
  const button = (
    <ActionIcon variant="default" size="lg" aria-label={t('account.menu')} onClick={open}>
      <AvatarIcon />
    </ActionIcon>
  )
  if (!used) return button
  return (
    <Suspense fallback={button}>
      <AccountMenuItems />
    </Suspense>
  )
}
