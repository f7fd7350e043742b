import { Select, Text, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { t as translate } from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { takenFault } from '../../parts/already-exists.ts'
import { categoryChoices } from '../../parts/category-names.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PictureField, useIsUploading } from '../../parts/picture-field.tsx'
import { isSlug, slugOf } from '../../parts/slug-of.ts'
import type { DialogProps } from '../../parts/use-dialog.tsx'
import { useRecordForm } from '../../parts/use-record-form.ts'
import { queryClient } from '../../query-client.ts'
import { categoriesQuery, type Category } from './categories-queries.ts'
import { changeCategory, createCategory, valuesOf, type CategoryValues } from './save-category.ts'

interface CategoryDialogProps extends DialogProps {
  categories: readonly Category[]
  /** Undefined for a new one. */
  category: Category | undefined
  /** The parent of a new category. */
  parent: string | null
}

async function readCategory(slug: string): Promise<CategoryValues> {
  const { items } = await queryClient.fetchQuery({ ...categoriesQuery, staleTime: 0 })
  const found = items.find((each) => each.slug === slug)
  if (!found) throw new Error(translate('categories.gone'))
  return valuesOf(found)
}

/** Name, texts and picture of a category. */
export function CategoryDialog({ opened, onClose, categories, category, parent }: CategoryDialogProps): ReactNode {
  const { t } = useTranslation()
  const [first] = useState<CategoryValues>(() =>
    category ? valuesOf(category) : { name: '', slug: '', parent, blurb: '', image: null, etag: '' },
  )
  const isUploading = useIsUploading()
  const form = useForm<CategoryValues>({
    initialValues: first,
    validate: {
      name: (name) => (name.trim() === '' ? t('categories.fault.name') : null),
      slug: (slug) => (isSlug(slug) ? null : t('categories.fault.slug')),
      image: (image) => (image !== null && image.alt.trim() === '' ? t('common.picture.altMissing') : null),
    },
  })
  const saving = useRecordForm<CategoryValues, void>({
    form,
    record: {
      kind: 'category',
      id: first.slug,
      fields: [
        { label: t('categories.field.name'), keys: ['name'] },
        { label: t('categories.field.blurb'), keys: ['blurb'] },
        { label: t('categories.field.picture'), keys: ['image'] },
      ],
      read: () => readCategory(first.slug),
    },
    send: ({ before, after }) => {
      const trimmed = { ...after, name: after.name.trim() }
      return category ? changeCategory(before, trimmed) : createCategory(trimmed)
    },
    faultsOf: (error) => takenFault('slug', error),
    onSaved: onClose,
  })
  return (
    <FormDialog
      opened={opened}
      title={category ? t('categories.edit', { name: category.name }) : t('categories.new')}
      action={category ? t('common.save') : t('categories.create')}
      size="lg"
      isPending={saving.isPending || isUploading}
      isDisabled={category !== undefined && !form.isDirty()}
      error={saving.error}
      over={saving.conflict}
      onSubmit={form.onSubmit(saving.save)}
      onClose={onClose}
    >
      <CategoryFields form={form} category={category} categories={categories} />
    </FormDialog>
  )
}

type CategoryFieldsProps = Pick<CategoryDialogProps, 'category' | 'categories'> & {
  form: UseFormReturnType<CategoryValues>
}

function CategoryFields({ form, category, categories }: CategoryFieldsProps): ReactNode {
  const { t } = useTranslation()
  const [isSlugTyped, setSlugTyped] = useState(false)
  return (
    <>
      <TextInput
        label={t('categories.field.name')}
        data-autofocus
        maxLength={200}
        {...form.getInputProps('name')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('name', value)
          if (!category && !isSlugTyped) form.setFieldValue('slug', slugOf(value, 'category'))
        }}
      />
      {category ? (
        <Text c="dimmed">{t('categories.slugIs', { slug: category.slug })}</Text>
      ) : (
        <>
          <TextInput
            label={t('categories.field.slug')}
            description={t('categories.slugHint')}
            maxLength={200}
            {...form.getInputProps('slug')}
            onChange={({ currentTarget: { value } }) => {
              setSlugTyped(true)
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
      <Textarea label={t('categories.field.blurb')} maxRows={8} maxLength={2000} {...form.getInputProps('blurb')} />
      <PictureField label={t('categories.field.picture')} {...form.getInputProps('image')} value={form.values.image} />
    </>
  )
}
