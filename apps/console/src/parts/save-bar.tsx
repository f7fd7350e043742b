import { Button, Group, Paper, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './save-bar.module.css'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'

interface SaveBarProps {
  isDirty: boolean
  /** On the button that saves. */
  action: string
  isSaving: boolean
  /** Why the last save was stopped. */
  fault?: string | undefined
  onSave: () => void
  onDiscard: () => void
}

/** Saves with a button or Ctrl+S while something is not saved, and asks before that is lost. */
export function SaveBar({ isDirty, action, isSaving, fault, onSave, onDiscard }: SaveBarProps): ReactNode {
  const { t } = useTranslation()
  useHotkeys([['mod+S', () => isDirty && onSave()]], [])
  return (
    <>
      {isDirty && (
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
      )}
      <UnsavedChangesGuard isDirty={isDirty} />
    </>
  )
}
