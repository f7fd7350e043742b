import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { ChevronDownIcon, ChevronRightIcon } from '@radix-ui/react-icons'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DragHandle } from '../../parts/drag-handle.tsx'
import { MoveButtons } from '../../parts/move-buttons.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import type { Drag } from '../../parts/use-drag.ts'
import type { Path } from './document.ts'
import type { Field, ListField } from './fields.ts'
import { useStorefront } from './storefront-context.ts'
import classes from './storefront.module.css'
import { useItemTitle } from './use-item-title.ts'

interface ListItemProps {
  /** Its name in the list, which stays when it moves. */
  itemKey: string
  field: ListField
  item: unknown
  path: Path
  place: { index: number; count: number }
  isOpen: boolean
  onToggle: () => void
  onMove: (to: number) => void
  onRemove: () => void
  drag: Drag
  renderField: (field: Field, holder: Path) => ReactNode
}

export function itemId(key: string): string {
  return `setting-${key}`
}

export function ListItem(props: ListItemProps): ReactNode {
  const { t } = useTranslation()
  const { canWrite, faults } = useStorefront()
  const { itemKey, field, item, path, place, isOpen, onToggle, onMove, onRemove, drag } = props
  const { title, kind } = useItemTitle(field, item)
  const fields = field.fieldsOf(item)
  const fault = faults[path.join('.')]
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <Paper withBorder id={itemId(itemKey)} {...drag.itemProps(itemKey)}>
      <Group gap={4} wrap="nowrap" px={6} py={4}>
        {canWrite && <DragHandle drag={drag} of={itemKey} title={title} />}
        <UnstyledButton onClick={onToggle} aria-expanded={isOpen} flex={1} miw={0}>
          <Group gap={6} wrap="nowrap">
            <Chevron aria-hidden className={classes['chevron']} />
            <Text fw={500} className="ellipsis">
              {title}
            </Text>
            {kind !== undefined && (
              <Text className="nowrap small dimmed" visibleFrom="xs">
                {kind}
              </Text>
            )}
          </Group>
        </UnstyledButton>
        {canWrite && (
          <Group gap={0} wrap="nowrap">
            <MoveButtons
              {...place}
              earlier={t('storefront.earlier', { title })}
              later={t('storefront.later', { title })}
              onMove={onMove}
            />
            <RemoveButton label={t('storefront.remove', { title })} onClick={onRemove} />
          </Group>
        )}
      </Group>
      {fault !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" px="sm">
          {fault}
        </Text>
      )}
      {isOpen && (
        <Stack gap="sm" p="sm">
          {fields.map((each) => (
            <Fragment key={each.path}>{props.renderField(each, path)}</Fragment>
          ))}
          {fields.length === 0 && <Text c="dimmed">{t('storefront.noForm')}</Text>}
        </Stack>
      )}
    </Paper>
  )
}
