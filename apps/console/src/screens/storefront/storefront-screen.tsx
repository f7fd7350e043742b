import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { StorefrontForm } from './storefront-form.tsx'
import { storefrontQuery } from './storefront-queries.ts'

/** What shoppers see around the products, and how the shop sells. */
export function StorefrontScreen(): ReactNode {
  const { t } = useTranslation()
  const stored = useQuery(storefrontQuery)
  return (
    <Page
      title={t('screens.storefront')}
      actions={
        <Button component={Link} to="/storefront/versions">
          {t('storefront.versions.title')}
        </Button>
      }
    >
      {stored.data ? <StorefrontForm stored={stored.data} /> : <LoadingState queries={[stored]} />}
    </Page>
  )
}
