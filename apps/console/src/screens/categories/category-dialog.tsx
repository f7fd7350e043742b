import { Select, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { categoryChoices } from '../../parts/category-names.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PictureField } from '../../parts/picture-field.tsx'
import { slugOf } from '../../parts/slug-of.ts'
import type { Category } from './categories-queries.ts'
import { changeCategory, createCategory, SlugTaken, valuesOf, type CategoryValues } from './save-category.ts'

interface CategoryDialogProps {
  opened: boolean
  onClose: () => void
  categories: readonly Category[]
  /** Undefined for a new one. */
  category: Category | undefined
  /** Of a new one. */
  parent: string | null
}

/** Name, texts and picture of a category. */
export function CategoryDialog({ opened, onClose, categories, category, parent }: CategoryDialogProps): ReactNode {
  const { t } = useTranslation()
  const [before] = useState<CategoryValues>(() =>
    category ? valuesOf(category) : { name: '', slug: '', parent, blurb: '', image: null },
  )
  const [ownSlug, setOwnSlug] = useState(false)
  const form = useForm<CategoryValues>({
    initialValues: before,
    validate: {
      name: (name) => (name.trim() === '' ? t('categories.fault.name') : null),
      slug: (slug) => (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) ? null : t('categories.fault.slug')),
      image: (image) => (image !== null && image.alt.trim() === '' ? t('common.picture.altMissing') : null),
    },
  })
  const save = useMutation({
    mutationFn: (values: CategoryValues) => (category ? changeCategory(before, values) : createCategory(values)),
    onSuccess: onClose,
    onError: (error) => error instanceof SlugTaken && form.setFieldError('slug', error.message),
  })
  return (
    <FormDialog
      opened={opened}
      title={category ? t('categories.edit', { name: category.name }) : t('categories.new')}
      action={category ? t('common.save') : t('categories.create')}
      size="lg"
      isPending={save.isPending}
      isDisabled={category !== undefined && !form.isDirty()}
      error={save.error instanceof SlugTaken ? null : save.error}
      onSubmit={form.onSubmit((values) => save.mutate({ ...values, name: values.name.trim() }))}
      onClose={onClose}
    >
      <TextInput
        label={t('categories.field.name')}
        data-autofocus
        maxLength={200}
        {...form.getInputProps('name')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('name', value)
          if (!category && !ownSlug) form.setFieldValue('slug', slugOf(value, 'category'))
        }}
      />
      {category ? (
        <Text size="sm" c="dimmed">
          {t('categories.slugIs', { slug: category.slug })}
        </Text>
      ) : (
        <>
          <TextInput
            label={t('categories.field.slug')}
            description={t('categories.slugHint')}
            maxLength={200}
            {...form.getInputProps('slug')}
            onChange={({ currentTarget: { value } }) => {
              setOwnSlug(true)
              form.setFieldValue('slug', value)
            }}
          />
          <Select
            label={t('categories.field.parent')}
            placeholder={t('categories.top')}
            data={categoryChoices(categories)}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('common.clear') }}
            {...form.getInputProps('parent')}
          />
        </>
      )}
      <Textarea
        label={t('categories.field.blurb')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...form.getInputProps('blurb')}
      />
      <PictureField
        label={t('categories.field.picture')}
        value={form.values.image}
        onChange={(image) => form.setFieldValue('image', image)}
        error={form.errors['image']}
      />
    </FormDialog>
  )
}
