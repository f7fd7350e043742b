import { Button, Group, ScrollArea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { parseSearch, type Filters } from './filters.ts'
import { noticeFailure, noticeUndo } from './notices.ts'
import { SaveView } from './save-view.tsx'
import {
  areSame,
  deleteView,
  queryOfView,
  saveView,
  viewsQuery,
  type SavedView,
  type ViewScreen,
} from './views-queries.ts'

interface SavedViewsProps {
  screen: ViewScreen
  filters: Filters
  /** Whether the list shows one of the built-in views: then there is nothing to save. */
  isBuiltIn?: boolean
  /** The built-in views. When a saved view is shown, they replace its filters. */
  children?: (isSavedShown: boolean) => ReactNode
}

/** Filters of a list as links: the built-in ones, and those that the person saved, for themselves alone. */
export function SavedViews({ screen, filters, isBuiltIn = false, children }: SavedViewsProps): ReactNode {
  const { t } = useTranslation()
  const views = useQuery(viewsQuery(screen)).data
  const shown = views?.find(({ query }) => areSame(parseSearch(query), filters))
  const maySave = views !== undefined && !shown && !isBuiltIn && queryOfView(filters) !== ''
  if (children === undefined && !maySave && (views ?? []).length === 0) return null
  return (
    <Group gap={4} mb="sm">
      <ScrollArea type="never" maw="100%">
        <Group role="group" aria-label={t('common.views.label')} gap={4} wrap="nowrap">
          {children?.(shown !== undefined)}
          {views?.map((view) => (
            <ViewLink
              key={view.id}
              label={view.name}
              search={parseSearch(view.query)}
              isShown={view.id === shown?.id}
            />
          ))}
        </Group>
      </ScrollArea>
      {maySave && <SaveView screen={screen} query={queryOfView(filters)} />}
      {shown && <DeleteView view={shown} />}
    </Group>
  )
}

export function ViewLink({ label, search, isShown }: { label: string; search: Filters; isShown: boolean }): ReactNode {
  return (
    <Button
      renderRoot={(props) => <Link {...props} to="." search={search} replace />}
      size="compact-sm"
      flex="none"
      variant={isShown ? 'light' : 'subtle'}
      color={isShown ? 'indigo' : 'gray'}
      aria-current={isShown ? 'true' : undefined}
    >
      {label}
    </Button>
  )
}

function DeleteView({ view }: { view: SavedView }): ReactNode {
  const { t } = useTranslation()
  const { screen, name, query } = view
  const remove = (): Promise<void> =>
    deleteView(view).then(
      () => noticeUndo(t('common.views.deleted', { name }), () => saveView(screen, name, query)),
      noticeFailure,
    )
  return (
    <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void remove()}>
      {t('common.views.delete')}
    </Button>
  )
}
