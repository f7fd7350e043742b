import { StorefrontError } from '@storefront/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { Page } from '../../../parts/page.tsx'
import { useCan } from '../../../session.ts'
import { shopSettingsQuery } from '../../../shop-settings.ts'
import { DraftBadge } from './draft-columns.tsx'
import { DraftForm } from './draft-form.tsx'
import { draftQuery } from './drafts-queries.ts'

export function NewDraftScreen(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const settings = useQuery(shopSettingsQuery)
  return (
    <Page title={t('orders.drafts.create')} back={{ to: '/orders/drafts', label: t('orders.drafts.title') }}>
      {settings.data ? (
        <DraftForm
          settings={settings.data}
          onCreated={(id) =>
            void navigate({ to: '/orders/drafts/$id', params: { id }, replace: true, ignoreBlocker: true })
          }
        />
      ) : (
        <LoadingState queries={[settings]} />
      )}
    </Page>
  )
}

/** One draft order: what it is, its payment link, and how it ended. */
export function DraftScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const { id = '' } = useParams({ strict: false })
  const read = useQuery(draftQuery(id))
  const settings = useQuery(shopSettingsQuery)
  const title = read.data?.draft.shippingAddress.name || read.data?.draft.email || t('draftOrders.one')
  return (
    <Page
      title={title}
      back={{ to: '/orders/drafts', label: t('orders.drafts.title') }}
      aside={read.data && <DraftBadge draft={read.data.draft} />}
    >
      {read.data && settings.data ? (
        <DraftForm key={id} read={read.data} settings={settings.data} isReadOnly={!can('orders:write')} />
      ) : read.error instanceof StorefrontError && read.error.status === 404 ? (
        <EmptyState title={t('draftOrders.notFound')} text={t('draftOrders.notFoundText')} />
      ) : (
        <LoadingState queries={[read, settings]} />
      )}
    </Page>
  )
}
