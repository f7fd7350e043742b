import { Button, Group, ScrollArea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filters } from '../../parts/filters.ts'
import { filtersOfView, isView, VIEWS } from './order-filters.ts'

/** Filters that a merchant needs each day, as links. */
export function OrderViews({ filters }: { filters: Filters }): ReactNode {
  const { t } = useTranslation()
  return (
    <ScrollArea type="never" mb="sm">
      <Group role="group" aria-label={t('orders.views.label')} gap={4} wrap="nowrap">
        {VIEWS.map((view) => {
          const isShown = isView(filters, view)
          return (
            <Button
              key={view.name}
              renderRoot={(props) => <Link {...props} to="/orders" search={filtersOfView(filters, view)} replace />}
              size="compact-sm"
              flex="none"
              variant={isShown ? 'light' : 'subtle'}
              color={isShown ? 'indigo' : 'gray'}
              aria-current={isShown ? 'true' : undefined}
            >
              {t(`orders.views.${view.name}`)}
            </Button>
          )
        })}
      </Group>
    </ScrollArea>
  )
}
