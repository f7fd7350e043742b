import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { shopCurrencyOf, shopSettingsQuery } from '../../shop-settings.ts'
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
  const settings = useQuery(shopSettingsQuery)
  return (
    <Page
      title={code}
      back={{ to: '/discounts', label: t('screens.discounts') }}
      aside={discount.data && <DiscountBadge discount={discount.data} />}
      actions={discount.data && <DeleteDiscount discount={discount.data} />}
    >
      {discount.data && settings.data ? (
        <Existing discount={discount.data} currency={shopCurrencyOf(settings.data)} />
      ) : (
        <LoadingState queries={[discount, settings]} />
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
  const settings = useQuery(shopSettingsQuery)
  return (
    <Page title={t('discounts.create')} back={{ to: '/discounts', label: t('screens.discounts') }}>
      {settings.data ? (
        <DiscountForm
          currency={shopCurrencyOf(settings.data)}
          onSaved={() => void navigate({ to: '/discounts', ignoreBlocker: true })}
        />
      ) : (
        <LoadingState queries={[settings]} />
      )}
    </Page>
  )
}
