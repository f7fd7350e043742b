import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportJob } from './import-queries.ts'

interface Step {
  label: string
  done: number
  total: number
}

interface ImportProgressProps {
  step: Step
  /** What the person may do meanwhile. */
  note: string
  /** Undefined for those who may not. */
  onCancel: (() => void) | undefined
}

/** How far an import is. */
export function ImportProgress({ step, note, onCancel }: ImportProgressProps): ReactNode {
  const { t } = useTranslation()
  const { label, done, total } = step
  const percent = total === 0 ? 0 : Math.min(100, (done / total) * 100)
  return (
    <Paper withBorder p="md" component="section" aria-label={t('import.progress')}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="md" fw={600} role="status">
            {label}
          </Text>
          <Text c="dimmed" className="number">
            {total > 0 && new Intl.NumberFormat(i18next.language, { style: 'percent' }).format(percent / 100)}
          </Text>
        </Group>
        <Progress value={total === 0 ? 100 : percent} animated={total === 0} aria-label={label} />
        <Group justify="space-between">
          <Text c="dimmed">{note}</Text>
          {onCancel && <Button onClick={onCancel}>{t('import.cancel')}</Button>}
        </Group>
      </Stack>
    </Paper>
  )
}

/** What the shop is doing with an import. */
export function useStepOf(): (job: ImportJob | undefined) => Step {
  const { t } = useTranslation()
  return (job) => {
    if (!job) return { label: t('import.status.receiving'), done: 0, total: 0 }
    const { rowsRead, rowsChecked, rowsApplied, pictures, picturesFetched } = job.progress
    const label = t(`import.status.${job.status}`)
    if (job.status === 'fetching') return { label, done: picturesFetched, total: pictures }
    if (job.status === 'checking') return { label, done: rowsChecked, total: rowsRead }
    if (job.status === 'applying') return { label, done: rowsApplied, total: rowsRead }
    return { label, done: 0, total: 0 }
  }
}
