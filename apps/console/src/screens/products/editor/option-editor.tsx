import { Group, Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isColorOption, renamedValue } from './color-option.ts'
import { useEditor } from './editor-context.ts'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { OptionValues } from './option-values.tsx'
import type { OptionRow } from './product-form.ts'
import { Swatches } from './swatches.tsx'
import { TextField } from './text-field.tsx'

interface OptionEditorProps {
  option: OptionRow
  index: number
  /** Whether it was just added: then the person goes on typing in it. */
  isAdded: boolean
  onChange: (option: OptionRow) => void
  onRemove: () => void
}

export function OptionEditor({ option, index, isAdded, onChange, onRemove }: OptionEditorProps): ReactNode {
  const { t } = useTranslation()
  const { before, change, errors } = useEditor()
  const { name, values } = option
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group wrap="nowrap" align="flex-end" gap="xs">
          <TextField
            path={`options.${index}.name`}
            label={t('products.options.name')}
            value={name}
            onChange={(next) => onChange({ ...option, name: next })}
            autoFocus={isAdded && name === ''}
            maxLength={100}
            flex={1}
            maw={300}
          />
          <RemoveButton label={t('products.options.remove', { name })} onClick={onRemove} size="lg" />
        </Group>
        <OptionValues
          name={name}
          values={values}
          error={errors[`options.${index}.values`]}
          autoFocus={isAdded && name !== ''}
          onChange={(next) => onChange({ ...option, values: next })}
          onRename={(value, renamed) =>
            change((form) => renamedValue(form, option, { value, renamed, saved: before.variants }))
          }
        />
        {isColorOption(name) && <Swatches colors={values} />}
      </Stack>
    </Paper>
  )
}
