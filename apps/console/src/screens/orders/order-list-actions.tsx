import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filters } from '../../parts/filters.ts'
import { useCan } from '../../session.ts'
import { ExportButton } from './export-button.tsx'

/** Beside the title of the list. */
export function OrderListActions({ filters }: { filters: Filters }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  return (
    <>
      <Button component={Link} to="/orders/drafts">
        {t('orders.drafts.title')}
      </Button>
      <ExportButton filters={filters} />
      {can('orders:write') && (
        <Button variant="filled" component={Link} to="/orders/drafts/new" leftSection={<PlusIcon />}>
          {t('orders.drafts.create')}
        </Button>
      )}
    </>
  )
}
