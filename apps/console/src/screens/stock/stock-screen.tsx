import { Button, Tabs } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { useCan } from '../../session.ts'
import { AllStock } from './all-stock.tsx'
import { LowStock } from './low-stock.tsx'
import { MovementsDrawer } from './movements-drawer.tsx'
import type { StockRow } from './stock-queries.ts'

export function StockScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const [filters, setFilters] = useFilters()
  const tab = filters['tab'] === 'all' ? 'all' : 'low'
  const { page } = filters
  const openHistory = ({ variantId, sku }: StockRow): void => setFilters({ page, variant: variantId, name: sku })

  return (
    <Page
      title={t('screens.stock')}
      actions={
        can('inventory:write') && (
          <Button component={Link} to="/stock/stocktake">
            {t('stock.stocktake.title')}
          </Button>
        )
      }
    >
      <Tabs
        value={tab}
        onChange={(value) => setFilters({ tab: value === 'all' ? 'all' : undefined, q: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="low">{t('stock.low')}</Tabs.Tab>
          <Tabs.Tab value="all">{t('stock.all')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="low">
          <LowStock onHistory={openHistory} />
        </Tabs.Panel>
        <Tabs.Panel value="all">
          <AllStock onHistory={openHistory} />
        </Tabs.Panel>
      </Tabs>
      <MovementsDrawer
        variantId={filters['variant']}
        name={filters['name']}
        onClose={() => setFilters({ page, variant: undefined, name: undefined })}
      />
    </Page>
  )
}
