import { CloseButton, Group, Paper, Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Upload } from './use-media-uploads.ts'

/** The progress of the uploads, and a message for each file that was a duplicate or failed. */
export function UploadList({ uploads, onClose }: { uploads: readonly Upload[]; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  if (uploads.length === 0) return null
  const ended = uploads.filter(({ state }) => state !== 'waiting' && state !== 'running')
  const isRunning = ended.length < uploads.length
  const label = t(isRunning ? 'media.uploading' : 'media.uploaded', {
    done: ended.filter(({ state }) => state !== 'failed').length,
    count: uploads.length,
  })
  return (
    <Paper withBorder p="sm" mb="sm" component="section" aria-label={t('media.uploads')}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} role="status">
          {label}
        </Text>
        {!isRunning && <CloseButton aria-label={t('common.close')} onClick={onClose} />}
      </Group>
      {isRunning && <Progress value={(100 * ended.length) / uploads.length} aria-label={label} mt={4} animated />}
      {uploads.map(({ key, name, state, failure }) => {
        if (state === 'duplicate') {
          return (
            <Text key={key} c="dimmed">
              {t('media.duplicate', { name })}
            </Text>
          )
        }
        if (state !== 'failed') return null
        return (
          <Text key={key} c="var(--mantine-color-error)" role="alert">
            {t('media.failed', { name, failure })}
          </Text>
        )
      })}
    </Paper>
  )
}
