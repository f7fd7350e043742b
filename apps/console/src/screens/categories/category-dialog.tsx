import { Select, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { t as translate } from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { categoryChoices } from '../../parts/category-names.ts'
import type { Edit } from '../../parts/edit-conflict.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PictureField, useIsUploading } from '../../parts/picture-field.tsx'
import { isSlug, slugOf } from '../../parts/slug-of.ts'
import type { DialogProps } from '../../parts/use-dialog.tsx'
import { useEditConflict } from '../../parts/use-edit-conflict.tsx'
import { queryClient } from '../../query-client.ts'
import { isConflict } from '../../shop.ts'
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
  const [isSlugTyped, setSlugTyped] = useState(false)
  const isUploading = useIsUploading()
  const form = useForm<CategoryValues>({
    initialValues: first,
    validate: {
      name: (name) => (name.trim() === '' ? t('categories.fault.name') : null),
      slug: (slug) => (isSlug(slug) ? null : t('categories.fault.slug')),
      image: (image) => (image !== null && image.alt.trim() === '' ? t('common.picture.altMissing') : null),
    },
  })
  const save = useMutation({
    mutationFn: ({ before, after }: Edit<CategoryValues>) => {
      const trimmed = { ...after, name: after.name.trim() }
      return category ? changeCategory(before, trimmed) : createCategory(trimmed)
    },
    onSuccess: onClose,
    onError: (error, { before }) => {
      if (error instanceof AlreadyExists) form.setFieldError('slug', error.message)
      else if (category) void conflict.find(error, before)
    },
  })
  const conflict = useEditConflict<CategoryValues>(
    {
      kind: 'category',
      id: first.slug,
      fields: [
        { label: t('categories.field.name'), keys: ['name'] },
        { label: t('categories.field.blurb'), keys: ['blurb'] },
        { label: t('categories.field.picture'), keys: ['image'] },
      ],
      read: () => readCategory(first.slug),
    },
    form,
    (before, after) => save.mutate({ before, after }),
  )
  return (
    <FormDialog
      opened={opened}
      title={category ? t('categories.edit', { name: category.name }) : t('categories.new')}
      action={category ? t('common.save') : t('categories.create')}
      size="lg"
      isPending={save.isPending || isUploading}
      isDisabled={category !== undefined && !form.isDirty()}
      error={save.error instanceof AlreadyExists || isConflict(save.error) ? null : save.error}
      over={{ opened: conflict.isOpen, dialog: conflict.dialog }}
      onSubmit={form.onSubmit((after) => save.mutate({ before: form.getInitialValues(), after }))}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
