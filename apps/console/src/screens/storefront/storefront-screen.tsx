import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../parts/error-state.tsx'
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
        <Button component={Link} to="/storefront/versions" variant="default">
          {t('storefront.versions.title')}
        </Button>
      }
    >
      {stored.error ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : stored.data ? (
        <StorefrontForm stored={stored.data} />
      ) : (
        <Skeleton height={480} />
      )}
    </Page>
  )
}
