import { Drawer, type DrawerProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** The details of something, beside the page that stays visible. */
export function SideDrawer(props: DrawerProps): ReactNode {
  const { t } = useTranslation()
  return <Drawer position="right" size="lg" closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />
}
