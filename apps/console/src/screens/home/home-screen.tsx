import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'
import { Attention } from './attention.tsx'

/** What waits for the merchant. */
export function HomeScreen(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page title={t('screens.home')}>
      <Attention />
    </Page>
  )
}
