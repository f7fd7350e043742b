import { Badge, Button, Group, Paper, Stack, Title, UnstyledButton } from '@mantine/core'
import { ChevronDownIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import type { Section } from './fields.ts'
import { SettingField } from './setting-field.tsx'
import { useStorefront } from './storefront-context.ts'
import classes from '../../parts/section.module.css'

interface SettingSectionProps {
  section: Section
  /** Whether there are unsaved changes: the section cannot be reset then. */
  isDirty: boolean
  onReset: (section: Section) => void
}

/** A part of the configuration that can be opened. */
export function SettingSection({ section, isDirty, onReset }: SettingSectionProps): ReactNode {
  const { t } = useTranslation()
  const { faults, canWrite } = useStorefront()
  const [isOpened, setOpened] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const wrong = faultsIn(section, faults)
  const isOpen = isOpened || wrong > 0
  const title = t(`storefront.section.${section.name}`)
  return (
    <Paper withBorder component="section">
      <Title order={2} size="h5">
        <UnstyledButton className={classes['heading']} aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
          <Group gap="xs" wrap="nowrap">
            {isOpen ? <ChevronDownIcon aria-hidden /> : <ChevronRightIcon aria-hidden />}
            {title}
            {wrong > 0 && (
              <Badge variant="filled" color="red.9">
                {t('storefront.faults', { count: wrong })}
              </Badge>
            )}
          </Group>
        </UnstyledButton>
      </Title>
      {isOpen && (
        <fieldset className={classes['fields']} aria-label={title}>
          <Stack gap="sm">
            {section.fields.map((each) => (
              <SettingField key={each.path} field={each} at={[]} />
            ))}
            {canWrite && (
              <Group justify="flex-end">
                <Button variant="subtle" size="xs" disabled={isDirty} onClick={() => setConfirming(true)}>
                  {t('storefront.toDefault')}
                </Button>
              </Group>
            )}
          </Stack>
        </fieldset>
      )}
      <ConfirmDialog
        opened={isConfirming}
        title={t('storefront.toDefaultTitle', { section: title })}
        text={t('storefront.toDefaultText')}
        action={t('storefront.toDefault')}
        onClose={() => setConfirming(false)}
        onConfirm={() => onReset(section)}
      />
    </Paper>
  )
}

function faultsIn({ fields }: Section, faults: Readonly<Record<string, string>>): number {
  return Object.keys(faults).filter((place) =>
    fields.some(({ path }) => place === path || place.startsWith(`${path}.`)),
  ).length
}
