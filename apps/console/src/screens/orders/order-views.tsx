import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filters } from '../../parts/filters.ts'
import { SavedViews, ViewLink } from '../../parts/saved-views.tsx'
import { areSame } from '../../parts/views-queries.ts'
import { filtersOfView, isView, VIEWS } from './order-filters.ts'

/** Filters that a merchant needs each day, and those that they saved, as links. */
export function OrderViews({ filters }: { filters: Filters }): ReactNode {
  const { t } = useTranslation()
  const isBuiltIn = VIEWS.some((view) => areSame(view.filters, filters))
  return (
    <SavedViews screen="orders" filters={filters} isBuiltIn={isBuiltIn}>
      {(isSavedShown) =>
        VIEWS.map((view) => (
          <ViewLink
            key={view.name}
            label={t(`orders.views.${view.name}`)}
            search={filtersOfView(isSavedShown ? {} : filters, view)}
            isShown={!isSavedShown && isView(filters, view)}
          />
        ))
      }
    </SavedViews>
  )
}
