import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../parts/error-state.tsx'
import { RelativeTime } from '../../../parts/relative-time.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { CompareNow } from './compare-now.tsx'
import { FindingGroups } from './finding-groups.tsx'
import { healthQuery, type Report } from './health-queries.ts'

/** Whether orders, payments and stock agree with each other. */
export function HealthScreen(): ReactNode {
  return (
    <SettingsPage section="health" actions={<CompareNow />}>
      <Health />
    </SettingsPage>
  )
}

function Health(): ReactNode {
  const { t } = useTranslation()
  const report = useQuery(healthQuery)
  if (report.error) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data) return <Skeleton height={160} />
  const { items, repaired, total } = report.data
  return (
    <Stack>
      <Verdict report={report.data} />
      <FindingGroups findings={items} />
      {total > items.length && <Text c="dimmed">{t('settings.health.more', { count: total - items.length })}</Text>}
      {repaired.length > 0 && <FindingGroups title={t('settings.health.repaired')} findings={repaired} />}
    </Stack>
  )
}

function Verdict({ report: { ok, total, unasked, checkedAt } }: { report: Report }): ReactNode {
  const { t } = useTranslation()
  if (checkedAt === null) return <Alert color="gray">{t('settings.health.never')}</Alert>
  const problemColor = total > 0 ? 'red' : 'orange'
  return (
    <Alert
      color={ok ? 'teal' : problemColor}
      title={ok ? t('settings.health.ok') : t('settings.health.found', { count: total })}
      role="status"
    >
      {unasked.length > 0 && <Text>{t('settings.health.unasked', { services: unasked.join(', ') })}</Text>}
      {/* A reader would read it each minute. */}
      <Text aria-live="off">
        {t('settings.health.checked')} <RelativeTime at={checkedAt} />. {t('settings.health.every')}
      </Text>
    </Alert>
  )
}
