import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../../parts/loading-state.tsx'
import { noticeFailure } from '../../parts/notices.ts'
import { Page } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { useCan } from '../../session.ts'
import { FaultTable } from './fault-table.tsx'
import { locateFaults } from './faults.ts'
import { ImportBadge } from './import-badge.tsx'
import { ImportProgress, useStepOf } from './import-progress.tsx'
import { cancelImport, importQuery, isRunning, type ImportJob } from './import-queries.ts'
import { ImportResultView } from './import-result-view.tsx'

/** One import: its progress, then its result. */
export function ImportJobScreen(): ReactNode {
  const { t } = useTranslation()
  const { id = '' } = useParams({ strict: false })
  const job = useQuery(importQuery(id))
  return (
    <Page
      title={job.data?.dryRun === true ? t('import.dryRun') : t('import.one')}
      back={{ to: '/import', label: t('screens.import') }}
      aside={job.data && <ImportBadge job={job.data} />}
    >
      {job.data ? <Job job={job.data} /> : <LoadingState queries={[job]} waiting={<Skeleton height={240} />} />}
    </Page>
  )
}

function Job({ job }: { job: ImportJob }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const client = useQueryClient()
  const stepOf = useStepOf()
  const isOpen = isRunning(job)
  const isApplied = job.status === 'done' && !job.dryRun
  // Anything in the shop may have changed.
  useEffect(() => {
    if (isApplied) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' })
  }, [isApplied, client])

  async function cancel(): Promise<void> {
    await cancelImport(job.id).catch(noticeFailure)
    await client.invalidateQueries({ queryKey: importQuery(job.id).queryKey })
  }

  return (
    <Stack>
      <Text c="dimmed">
        {job.dryRun ? t('import.dryRunText') : t(`import.modeText.${job.mode}`)} <RelativeTime at={job.createdAt} />
      </Text>
      {isOpen && (
        <ImportProgress
          step={stepOf(job)}
          note={t('import.mayLeave')}
          onCancel={can('catalog:write') ? () => void cancel() : undefined}
        />
      )}
      {job.status === 'cancelled' && <Alert color="gray">{t('import.cancelled')}</Alert>}
      {job.status === 'failed' && <Alert color="red">{job.failure}</Alert>}
      {isApplied && (
        <Alert color="teal" role="status">
          {t('import.applied')}
        </Alert>
      )}
      {job.result && <ImportResultView result={job.result} />}
      {job.issues && <FaultTable faults={locateFaults(job.issues, undefined)} total={job.issueCount ?? 0} />}
      {!isOpen && (
        <Group>
          <Button component={Link} to="/import">
            {t('import.another')}
          </Button>
          {isApplied && (
            <Button component={Link} to="/products">
              {t('import.seeProducts')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}
