import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { useFilters } from '../../../parts/filters.ts'
import { Pager } from '../../../parts/pager.tsx'
import { mailColumns } from './mail-columns.tsx'
import { MailFilters } from './mail-filters.tsx'
import { MailsPage } from './mails-page.tsx'
import { mailsQuery } from './mails-queries.ts'
import { useResend } from './use-resend.ts'

/** The mails of the shop, and whether they arrived. */
export function MailsScreen(): ReactNode {
  return (
    <MailsPage current="/settings/mails">
      <MailLog />
    </MailsPage>
  )
}

function MailLog(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const mails = useQuery(mailsQuery(filters))
  const resend = useResend()
  return (
    <>
      <MailFilters filters={filters} onChange={setFilters} />
      <DataTable
        label={t('settings.mails.log')}
        columns={mailColumns(t, resend)}
        rows={mails.data?.items}
        rowId={({ id }) => id}
        query={mails}
        empty={<EmptyState title={t('settings.mails.none')} text={t('settings.mails.noneText')} />}
      />
      {mails.data && <Pager {...mails.data} onPage={(page) => setFilters({ page: String(page) })} />}
    </>
  )
}
