import { Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { Card } from '../../parts/card.tsx'
import type { Edit } from '../../parts/edit-conflict.ts'
import { PictureField, useIsUploading } from '../../parts/picture-field.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { UnsavedChangesGuard } from '../../parts/unsaved-changes-guard.tsx'
import { useEditConflict } from '../../parts/use-edit-conflict.tsx'
import { isSlug, slugOf } from '../../parts/slug-of.ts'
import { showSaved, useStored } from '../../parts/stored-form.ts'
import { queryClient } from '../../query-client.ts'
import { useCan } from '../../session.ts'
import { isConflict, messageOf } from '../../shop.ts'
import { CollectionProducts } from './collection-products.tsx'
import { collectionQuery } from './collections-queries.ts'
import { changeCollection, createCollection, valuesOf, type CollectionValues } from './save-collection.ts'

interface CollectionFormProps {
  stored: CollectionValues
  isNew: boolean
  onCreated: (slug: string) => void
}

/** Texts, picture and products of a collection. */
export function CollectionForm({ stored, isNew, onCreated }: CollectionFormProps): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const [isSlugTyped, setSlugTyped] = useState(false)
  const isUploading = useIsUploading()
  const form = useForm<CollectionValues>({
    initialValues: stored,
    validate: {
      title: (title) => (title.trim() === '' ? t('collections.fault.title') : null),
      slug: (slug) => (isSlug(slug) ? null : t('collections.fault.slug')),
      image: (image) => (image !== null && image.alt.trim() === '' ? t('common.picture.altMissing') : null),
    },
  })
  const save = useMutation({
    mutationFn: async ({ before, after }: Edit<CollectionValues>) => {
      const trimmed = { ...after, title: after.title.trim() }
      if (!isNew) return changeCollection(before, trimmed)
      await createCollection(trimmed)
      return trimmed
    },
    onSuccess: (saved, { after }) => {
      showSaved(form, after, saved)
      if (isNew) onCreated(saved.slug)
    },
    onError: (error, { before }) => {
      if (error instanceof AlreadyExists) form.setFieldError('slug', error.message)
      else if (!isNew) void conflict.find(error, before)
    },
  })
  const conflict = useEditConflict<CollectionValues>(
    {
      kind: 'collection',
      id: stored.slug,
      fields: [
        { label: t('collections.field.title'), keys: ['title'] },
        { label: t('collections.field.blurb'), keys: ['blurb'] },
        { label: t('collections.field.picture'), keys: ['image'] },
        { label: t('screens.products'), keys: ['products'] },
      ],
      read: async () => valuesOf(await queryClient.fetchQuery({ ...collectionQuery(stored.slug), staleTime: 0 })),
    },
    form,
    (before, after) => save.mutate({ before, after }),
  )
  const isDirty = form.isDirty()

  useStored(form, stored, save.isPending)

  function submit(): void {
    if (!isDirty || save.isPending || isUploading || form.validate().hasErrors) return
    save.mutate({ before: form.getInitialValues(), after: form.values })
  }
  useHotkeys([['mod+S', submit]], [])
  const fault = Object.keys(form.errors).length > 0 ? t('collections.fault.some') : undefined
  const showsError = save.error && !(save.error instanceof AlreadyExists) && !isConflict(save.error)

  return (
    <Stack maw={880}>
      <Card title={t('collections.texts')}>
        <Stack>
          <TextInput
            label={t('collections.field.title')}
            {...form.getInputProps('title')}
            onChange={({ currentTarget: { value } }) => {
              form.setFieldValue('title', value)
              if (isNew && !isSlugTyped) form.setFieldValue('slug', slugOf(value, 'collection'))
            }}
            disabled={!canWrite}
            autoFocus={isNew}
            maxLength={200}
          />
          <TextInput
            label={t('collections.field.slug')}
            description={t('collections.slugHint')}
            {...form.getInputProps('slug')}
            onChange={({ currentTarget: { value } }) => {
              setSlugTyped(true)
              form.setFieldValue('slug', value)
            }}
            disabled={!canWrite}
            readOnly={!isNew}
            maxLength={200}
          />
          <Textarea
            label={t('collections.field.blurb')}
            {...form.getInputProps('blurb')}
            disabled={!canWrite}
            maxRows={8}
            maxLength={2000}
          />
          {canWrite && (
            <PictureField
              label={t('collections.field.picture')}
              {...form.getInputProps('image')}
              value={form.values.image}
            />
          )}
        </Stack>
      </Card>
      <CollectionProducts
        slugs={form.values.products}
        canWrite={canWrite}
        onChange={(next) => form.setFieldValue('products', next)}
      />
      {isDirty && (
        <SaveBar
          action={t(isNew ? 'collections.create' : 'common.save')}
          isSaving={save.isPending || isUploading}
          fault={showsError ? messageOf(save.error) : fault}
          onSave={submit}
          onDiscard={() => {
            form.reset()
            save.reset()
          }}
        />
      )}
      {conflict.dialog}
      <UnsavedChangesGuard isDirty={isDirty} />
    </Stack>
  )
}
