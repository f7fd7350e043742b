import { Button, Group, Stack, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeFailure } from '../../../parts/notices.ts'
import { useEditor } from './editor-context.ts'
import { OptionEditor } from './option-editor.tsx'
import { newKey, type OptionRow } from './product-form.ts'
import { changedRows, combinationCount } from './variant-rows.ts'

/** By these names the shop fills the filters of sizes and colors, whatever the language of the console. */
const KNOWN_OPTIONS = ['Color', 'Size'] as const
const MAX_OPTIONS = 10
const MAX_VARIANTS = 1000

/** What shoppers choose, such as color and size. */
export function OptionsEditor(): ReactNode {
  const { t } = useTranslation()
  const { form, before, change } = useEditor()
  const [added, setAdded] = useState<string>()

  function changeOptions(after: readonly OptionRow[]): void {
    const count = combinationCount(after)
    if (count > MAX_VARIANTS)
      return noticeFailure(new Error(t('products.options.tooMany', { count, max: MAX_VARIANTS })))
    change(({ options, variants }) => ({
      options: [...after],
      variants: changedRows(variants, options, after, before.variants),
    }))
  }

  function add(name: string): void {
    const option = { key: newKey(), name, values: [] }
    setAdded(option.key)
    changeOptions([...form.options, option])
  }

  const names = new Set(form.options.map(({ name }) => name.trim().toLowerCase()))
  const canAdd = form.options.length < MAX_OPTIONS
  return (
    <Stack gap="sm">
      {form.options.length === 0 && <Text c="dimmed">{t('products.options.none')}</Text>}
      {form.options.map((option, index) => (
        <OptionEditor
          key={option.key}
          option={option}
          index={index}
          isAdded={option.key === added}
          onChange={(next) => changeOptions(form.options.map((each) => (each.key === option.key ? next : each)))}
          onRemove={() => changeOptions(form.options.filter(({ key }) => key !== option.key))}
        />
      ))}
      {canAdd && (
        <Group gap="xs">
          {KNOWN_OPTIONS.filter((name) => !names.has(name.toLowerCase())).map((name) => (
            <Button key={name} leftSection={<PlusIcon />} onClick={() => add(name)}>
              {t(`products.options.add${name}`)}
            </Button>
          ))}
          <Button leftSection={<PlusIcon />} onClick={() => add('')}>
            {t('products.options.addOther')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
