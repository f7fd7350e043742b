import { Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './save-bar.module.css'

interface SaveBarProps {
  /** On the button that saves. */
  action: string
  isSaving: boolean
  /** Why the last save was stopped. */
  fault?: string | undefined
  onSave: () => void
  onDiscard: () => void
}

/** Shown while something is not saved. */
export function SaveBar({ action, isSaving, fault, onSave, onDiscard }: SaveBarProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      className={classes['bar']}
      component="section"
      aria-label={t('common.unsaved')}
    >
      <Group justify="space-between" gap="xs">
        <Text fw={600} role="status" {...(fault !== undefined && { c: 'var(--mantine-color-error)' })}>
          {fault ?? t('common.unsaved')}
        </Text>
        <Group gap="xs">
          <Button onClick={onDiscard} disabled={isSaving}>
            {t('common.discard')}
          </Button>
          <Button variant="filled" onClick={onSave} loading={isSaving} title="Ctrl+S">
            {action}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
