import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../parts/card.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { Page } from '../../../parts/page.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { ScreenWaiting } from '../../../shell/fallbacks.tsx'
import { categoriesQuery } from '../products-queries.ts'
import { BulkAction } from './bulk-action.tsx'
import { BulkProblems } from './bulk-problems.tsx'
import { bulkEditQuery, type BulkEdit } from './bulk-queries.ts'
import { BulkProgress, BulkStateBadge } from './bulk-state.tsx'
import { changeSentence } from './change-sentence.ts'
import { requesterName } from './requester-name.ts'

/** The progress of a bulk edit, and its result with the products that were not changed. */
export function BulkEditScreen(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const edit = useQuery(bulkEditQuery(id))
  if (edit.data) return <BulkEditPage edit={edit.data} />
  return <LoadingState queries={[edit]} waiting={<ScreenWaiting />} />
}

function BulkEditPage({ edit }: { edit: BulkEdit }): ReactNode {
  const { t } = useTranslation()
  const categories = useQuery(categoriesQuery).data?.items
  const names = useMemo(() => new Map((categories ?? []).map(({ slug, name }) => [slug, name])), [categories])
  return (
    <Page
      title={changeSentence(t, edit, names)}
      back={{ to: '/products/bulk', label: t('products.bulk.all') }}
      aside={<BulkStateBadge edit={edit} />}
      actions={<BulkAction edit={edit} />}
    >
      <Stack>
        <Card title={t('products.bulk.result')}>
          <BulkProgress edit={edit} />
          <Text c="dimmed" mt="xs">
            {requesterName(t, edit.by)}, <RelativeTime at={edit.createdAt} />
          </Text>
          <Related edit={edit} />
        </Card>
        <BulkProblems
          count={edit.failed}
          problems={edit.problems}
          title={t('products.bulk.notChanged', { count: edit.failed })}
        />
      </Stack>
    </Page>
  )
}

/** The undo of a bulk edit, or what an undo has undone. */
function Related({ edit: { undoes, undoneBy } }: { edit: BulkEdit }): ReactNode {
  const { t } = useTranslation()
  const id = undoes ?? undoneBy
  if (id === undefined) return null
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={`/products/bulk/${id}`} />}>
      {t(undoes === undefined ? 'products.bulk.toUndo' : 'products.bulk.toUndone')}
    </Anchor>
  )
}
