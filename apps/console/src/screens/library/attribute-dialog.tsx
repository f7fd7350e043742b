import { Select, TagsInput, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { slugOf } from '../../parts/slug-of.ts'
import type { DialogProps } from '../../parts/use-dialog.tsx'
import { vocabularyQuery, type Attribute } from './library-queries.ts'
import { requireNewKey, saveItem } from './save-item.ts'

interface AttributeDialogProps extends DialogProps {
  /** Undefined for a new one. */
  attribute: Attribute | undefined
}

const NEW_ATTRIBUTE = { key: '', label: '', group: 'details', unit: '', values: new Array<string>() }
type AttributeValues = typeof NEW_ATTRIBUTE

/** The names of an attribute and its suggested values. */
export function AttributeDialog({ attribute, ...dialog }: AttributeDialogProps): ReactNode {
  const { t } = useTranslation()
  const [initialValues] = useState<AttributeValues>(() => {
    if (!attribute) return NEW_ATTRIBUTE
    const { key, label, group, unit = '', values } = attribute
    return { key, label, group, unit, values }
  })
  const required = (text: string): string | null => (text.trim() === '' ? t('library.fillIn') : null)
  const form = useForm({ initialValues, validate: { key: required, label: required, group: required } })
  const save = useMutation({
    mutationFn: async ({ unit, ...values }: AttributeValues) => {
      if (!attribute) await requireNewKey(values.key)
      const body = { ...values, ...(unit.trim() !== '' && { unit: unit.trim() }) }
      const { custom: _custom, ...before } = attribute ?? {}
      return saveItem('attributes', values.label, attribute && before, attribute ? { ...body, id: attribute.id } : body)
    },
    onSuccess: dialog.onClose,
    onError: (error) => {
      if (error instanceof AlreadyExists) form.setFieldError('key', error.message)
    },
  })
  return (
    <FormDialog
      {...dialog}
      title={attribute ? t('library.editOf', { name: attribute.label }) : t('library.new.attributes')}
      size="lg"
      isPending={save.isPending}
      isDisabled={attribute !== undefined && !form.isDirty()}
      error={save.error instanceof AlreadyExists ? null : save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <AttributeFields form={form} isNew={!attribute} />
    </FormDialog>
  )
}

interface AttributeFieldsProps {
  form: UseFormReturnType<AttributeValues>
  isNew: boolean
}

function AttributeFields({ form, isNew }: AttributeFieldsProps): ReactNode {
  const { t } = useTranslation()
  const [isKeyTyped, setKeyTyped] = useState(false)
  const groups = useQuery(vocabularyQuery).data?.groups ?? []
  const sections = new Map(groups.map(({ id, label }) => [id, label]))
  // The attribute may be in a section of the merchant's own.
  if (!sections.has(form.values.group)) sections.set(form.values.group, form.values.group)
  return (
    <>
      <TextInput
        label={t('library.field.label')}
        description={t('library.labelHint')}
        data-autofocus
        maxLength={200}
        {...form.getInputProps('label')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('label', value)
          if (isNew && !isKeyTyped) form.setFieldValue('key', slugOf(value, 'attribute'))
        }}
      />
      <TextInput
        label={t('library.field.key')}
        description={t('library.keyHint')}
        maxLength={100}
        {...form.getInputProps('key')}
        onChange={({ currentTarget: { value } }) => {
          setKeyTyped(true)
          form.setFieldValue('key', value)
        }}
      />
      <Select
        label={t('library.field.group')}
        data={[...sections].map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('group')}
      />
      <TextInput
        label={t('library.field.unit')}
        description={t('library.unitHint')}
        maxLength={50}
        {...form.getInputProps('unit')}
      />
      <TagsInput
        label={t('library.field.values')}
        description={t('library.valuesHint')}
        maxDropdownHeight={0}
        {...form.getInputProps('values')}
      />
    </>
  )
}
