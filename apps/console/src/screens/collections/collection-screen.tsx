import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { ScreenWaiting } from '../../shell/fallbacks.tsx'
import { CollectionForm } from './collection-form.tsx'
import { collectionQuery } from './collections-queries.ts'
import { NEW_COLLECTION, valuesOf } from './save-collection.ts'

export function CollectionScreen(): ReactNode {
  const { t } = useTranslation()
  const [{ slug = '' }] = useFilters()
  const read = useQuery(collectionQuery(slug))
  const back = { to: '/collections', label: t('screens.collections') }
  if (!read.data) return <LoadingState queries={[read]} waiting={<ScreenWaiting />} />
  const { title, count } = read.data
  return (
    <Page title={title} back={back} aside={<Badge>{t('collections.shownCount', { count })}</Badge>}>
      <CollectionForm key={slug} stored={valuesOf(read.data)} isNew={false} onCreated={() => {}} />
    </Page>
  )
}

/** A collection that does not exist yet. */
export function NewCollectionScreen(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t('collections.new')} back={{ to: '/collections', label: t('screens.collections') }}>
      <CollectionForm
        stored={NEW_COLLECTION}
        isNew
        onCreated={(slug) =>
          void navigate({ to: '/collections/edit', search: { slug }, replace: true, ignoreBlocker: true })
        }
      />
    </Page>
  )
}
