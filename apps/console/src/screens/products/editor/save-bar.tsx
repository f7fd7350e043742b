import { Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './product-editor.module.css'

interface SaveBarProps {
  isNew: boolean
  isSaving: boolean
  /** How many fields have mistakes that a save has found. */
  faults: number
  onSave: () => void
  onDiscard: () => void
}

/** Shown while something is not saved. */
export function SaveBar({ isNew, isSaving, faults, onSave, onDiscard }: SaveBarProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      className={classes['save']}
      component="section"
      aria-label={t('products.unsaved')}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} role="status" {...(faults > 0 && { c: 'var(--mantine-color-error)' })}>
          {faults > 0 ? t('products.faultsLeft', { count: faults }) : t('products.unsaved')}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard} disabled={isSaving}>
            {t('products.discard')}
          </Button>
          <Button onClick={onSave} loading={isSaving} title="Ctrl+S">
            {isNew ? t('products.create') : t('common.save')}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
