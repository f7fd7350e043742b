import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { useShopCurrency } from '../../shop-settings.ts'
import type { Summary } from './home-queries.ts'

/** For a shop that sold in another currency before: its figures are apart, because nothing is converted. */
export function CurrencyChoice({ summary }: { summary: Summary }): ReactNode {
  const { t } = useTranslation()
  const [, setFilters] = useFilters()
  const own = useShopCurrency()
  const shown = summary.totals.revenue.currency
  const choices = new Set([shown, ...summary.otherCurrencies, ...(own === undefined ? [] : [own])])
  if (choices.size === 1) return null
  return (
    <NativeSelect
      label={t('home.currency')}
      data={[...choices].toSorted()}
      value={shown}
      onChange={({ currentTarget: { value } }) => setFilters({ currency: value === own ? undefined : value })}
      w={160}
    />
  )
}
