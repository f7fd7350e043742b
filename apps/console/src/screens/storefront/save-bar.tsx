import { Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './storefront.module.css'

interface SaveBarProps {
  isSaving: boolean
  onSave: () => void
  onDiscard: () => void
}

/** Shown while something is not saved. */
export function StorefrontSaveBar({ isSaving, onSave, onDiscard }: SaveBarProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      className={classes['save']}
      component="section"
      aria-label={t('storefront.unsaved')}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} role="status">
          {t('storefront.unsaved')}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard} disabled={isSaving}>
            {t('storefront.discard')}
          </Button>
          <Button onClick={onSave} loading={isSaving} title="Ctrl+S">
            {t('common.save')}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
