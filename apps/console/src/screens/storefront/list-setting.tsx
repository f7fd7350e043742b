import { Button, Menu, Stack, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { moveByButton } from '../../parts/move-by-button.ts'
import { movedTo, useDragOrder } from '../../parts/use-drag-order.ts'
import { listOf, valueAt, type Path } from './document.ts'
import type { Field, ListField, Template } from './fields.ts'
import { ListItem, itemId } from './list-item.tsx'
import { StorefrontContext, useStorefront } from './storefront-context.ts'
import { useItemKeys } from './use-item-keys.ts'

interface ListSettingProps {
  field: ListField
  path: Path
  /** Renders a field of an item. @param holder path of the item */
  renderField: (field: Field, holder: Path) => ReactNode
}

/** A list whose items are added, edited, removed, and moved by dragging or by keyboard. */
export function ListSetting({ field, path, renderField }: ListSettingProps): ReactNode {
  const { t } = useTranslation()
  const editor = useStorefront()
  const { faults, canWrite } = editor
  const { items, keys, setIn, move, add, remove } = useListItems(path)
  const [opened, setOpened] = useState<string>()
  const label = t(`storefront.field.${field.label}`)
  const drag = useDragOrder(keys, move)

  return (
    <Stack gap={6} role="group" aria-label={label}>
      <Text fw={500}>{label}</Text>
      {items.map((item, index) => {
        const key = keys[index] ?? String(index)
        return (
          <StorefrontContext key={key} value={{ ...editor, set: setIn(key) }}>
            <ListItem
              itemKey={key}
              field={field}
              item={item}
              path={[...path, index]}
              place={{ index, count: items.length }}
              isOpen={opened === key || hasFault(faults, [...path, index])}
              onToggle={() => setOpened(opened === key ? undefined : key)}
              onMove={(to) => moveByButton(itemId(key), to < index ? 'earlier' : 'later', () => move(key, to))}
              onRemove={() => remove(index)}
              drag={drag}
              renderField={renderField}
            />
          </StorefrontContext>
        )
      })}
      {canWrite && <AddButton field={field} onAdd={(template) => setOpened(add(template))} />}
    </Stack>
  )
}

/** The items of a list with keys that stay when they move, and their changes. */
function useListItems(path: Path) {
  const { document: settings, set } = useStorefront()
  const items = listOf(valueAt(settings, path))
  const keys = useItemKeys(items.length)
  const order = useRef(keys.all)
  useEffect(() => {
    order.current = keys.all
  }, [keys.all])
  return {
    items,
    keys: keys.all,
    /** An upload may end when its item is closed, and has been moved or removed: then it has another path, or none. */
    setIn: (key: string) => (at: Path, value: unknown) => {
      const index = order.current.indexOf(key)
      if (index !== -1) set(at.with(path.length, index), value)
    },
    move: (key: string, to: number) => {
      const from = keys.all.indexOf(key)
      if (from === -1 || from === to) return
      keys.move(from, to)
      set(path, movedTo(items, from, to))
    },
    /** @returns its key */
    add: ({ item }: Template) => {
      const key = keys.add()
      set(path, [...items, item])
      return key
    },
    remove: (index: number) => {
      keys.remove(index)
      set(path, items.toSpliced(index, 1))
    },
  }
}

function AddButton({ field, onAdd }: { field: ListField; onAdd: (template: Template) => void }): ReactNode {
  const { t } = useTranslation()
  const [first, ...others] = field.templates
  if (!first) return null
  const props = { size: 'xs', leftSection: <PlusIcon />, w: 'fit-content' }
  if (others.length === 0) {
    return (
      <Button {...props} onClick={() => onAdd(first)}>
        {t('storefront.add', { what: t(`storefront.template.${first.name}`) })}
      </Button>
    )
  }
  return (
    <Menu withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...props}>{t('storefront.addSection')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {field.templates.map((template) => (
          <Menu.Item key={template.name} onClick={() => onAdd(template)}>
            {t(`storefront.template.${template.name}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function hasFault(faults: Readonly<Record<string, string>>, path: Path): boolean {
  const prefix = `${path.join('.')}.`
  return Object.keys(faults).some((place) => place.startsWith(prefix))
}
