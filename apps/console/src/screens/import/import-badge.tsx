import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportJob } from './import-queries.ts'

const COLORS: Partial<Record<ImportJob['status'], string>> = { done: 'teal', failed: 'red', cancelled: 'gray' }

export function ImportBadge({ job: { status, issueCount = 0 } }: { job: ImportJob }): ReactNode {
  const { t } = useTranslation()
  return (
    <Badge color={COLORS[status] ?? 'blue'}>
      {issueCount > 0 ? t('import.faults', { count: issueCount }) : t(`import.status.${status}`)}
    </Badge>
  )
}
