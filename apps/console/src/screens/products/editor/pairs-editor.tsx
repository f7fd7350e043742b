import { Autocomplete, Button, Group, Input, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AttributeSelect } from './attribute-select.tsx'
import { useEditor } from './editor-context.ts'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { listError } from './list-error.ts'
import type { Pair } from './product-form.ts'
import { useVocabulary } from './use-vocabulary.ts'

interface PairsEditorProps {
  /** Of the list in a request. */
  path: string
  label: string
  description: string
  pairs: readonly Pair[]
  /** Attributes to suggest first. */
  onlyHighlights?: boolean
  onChange: (pairs: Pair[]) => void
}

/** Attributes with their values, both suggested by the library. */
export function PairsEditor({
  path,
  label,
  description,
  pairs,
  onlyHighlights = false,
  onChange,
}: PairsEditorProps): ReactNode {
  const { t } = useTranslation()
  const { errors } = useEditor()
  const { valuesOf } = useVocabulary()
  const error = listError(errors, path, ['key', 'value'])
  const change = (index: number, fields: Partial<Pair>): void =>
    onChange(pairs.map((pair, place) => (place === index ? { ...pair, ...fields } : pair)))
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
      <Stack gap="xs" mt={4}>
        {pairs.map(({ key, value }, index) => (
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <AttributeSelect
              label={t('products.specs.attribute', { number: index + 1 })}
              value={key}
              onlyHighlights={onlyHighlights}
              error={errors[`${path}.${index}.key`]}
              onChange={(next) => change(index, { key: next })}
            />
            <Autocomplete
              aria-label={t('products.specs.value', { number: index + 1 })}
              data={valuesOf(key)}
              value={value}
              error={errors[`${path}.${index}.value`]}
              onChange={(next) => change(index, { value: next })}
              flex={1}
            />
            <RemoveButton
              label={t('products.specs.remove', { number: index + 1 })}
              onClick={() => onChange(pairs.toSpliced(index, 1))}
              size="lg"
            />
          </Group>
        ))}
        <Group>
          <Button leftSection={<PlusIcon />} onClick={() => onChange([...pairs, { key: '', value: '' }])}>
            {t('products.specs.add')}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
