import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { AccountList } from './account-list.tsx'
import { BuyerList } from './buyer-list.tsx'

/** Who has bought, and who has an account. */
export function CustomersScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const who = WHO.find((one) => one === filters['who']) ?? 'buyers'
  return (
    <Page title={t('screens.customers')}>
      <SegmentedControl
        mb="sm"
        aria-label={t('customers.who.label')}
        value={who}
        onChange={(value) => setFilters({ who: value === 'buyers' ? undefined : value })}
        data={WHO.map((value) => ({ value, label: t(`customers.who.${value}`) }))}
      />
      {who === 'accounts' ? <AccountList /> : <BuyerList />}
    </Page>
  )
}

const WHO = ['buyers', 'guests', 'accounts'] as const
