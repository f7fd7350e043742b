import { Button, Tabs } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { DiscountHistory } from './discount-history.tsx'
import { DiscountList } from './discount-list.tsx'

export function DiscountsScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  return (
    <Page
      title={t('screens.discounts')}
      actions={
        <Button variant="filled" component={Link} to="/discounts/new" leftSection={<PlusIcon />}>
          {t('discounts.create')}
        </Button>
      }
    >
      <Tabs
        value={filters['tab'] === 'history' ? 'history' : 'codes'}
        onChange={(tab) => setFilters({ tab: tab === 'history' ? tab : undefined, q: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="codes">{t('discounts.codes')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('discounts.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="codes">
          <DiscountList />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <DiscountHistory />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
