import { Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { useShopCurrency } from '../../shop-settings.ts'
import { DeleteDiscount } from './delete-discount.tsx'
import { DiscountBadge } from './discount-badge.tsx'
import { DiscountForm } from './discount-form.tsx'
import { DiscountHistory } from './discount-history.tsx'
import { discountQuery, type Discount } from './discounts-queries.ts'

/** One discount code: its conditions, its usage and its history. */
export function DiscountScreen(): ReactNode {
  const { t } = useTranslation()
  const [{ code = '' }] = useFilters()
  const discount = useQuery(discountQuery(code))
  const currency = useShopCurrency()
  return (
    <Page
      title={code}
      back={{ to: '/discounts', label: t('screens.discounts') }}
      aside={discount.data && <DiscountBadge discount={discount.data} />}
      actions={discount.data && <DeleteDiscount discount={discount.data} />}
    >
      {discount.error ? (
        <ErrorState error={discount.error} onRetry={() => void discount.refetch()} />
      ) : discount.data && currency !== undefined ? (
        <Existing discount={discount.data} currency={currency} />
      ) : (
        <Skeleton height={400} />
      )}
    </Page>
  )
}

function Existing({ discount, currency }: { discount: Discount; currency: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack gap="xl">
      <DiscountForm discount={discount} currency={currency} />
      <section>
        <Title order={2} size="h4" mb="sm">
          {t('discounts.history')}
        </Title>
        <DiscountHistory code={discount.code} />
      </section>
    </Stack>
  )
}

export function NewDiscountScreen(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const currency = useShopCurrency()
  return (
    <Page title={t('discounts.create')} back={{ to: '/discounts', label: t('screens.discounts') }}>
      {currency === undefined ? (
        <Skeleton height={400} />
      ) : (
        <DiscountForm currency={currency} onSaved={() => void navigate({ to: '/discounts' })} />
      )}
    </Page>
  )
}
