import { Stack, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { t } from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { takenFault } from '../../parts/already-exists.ts'
import { Card } from '../../parts/card.tsx'
import type { EditedRecord } from '../../parts/edit-conflict.ts'
import { PictureField, useIsUploading } from '../../parts/picture-field.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { isSlug, slugOf } from '../../parts/slug-of.ts'
import { showSaved, useStored } from '../../parts/stored-form.ts'
import { useRecordForm } from '../../parts/use-record-form.ts'
import { queryClient } from '../../query-client.ts'
import { useCan } from '../../session.ts'
import { messageOf } from '../../shop.ts'
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
  const isUploading = useIsUploading()
  const form = useForm<CollectionValues>({
    initialValues: stored,
    validate: {
      title: (title) => (title.trim() === '' ? t('collections.fault.title') : null),
      slug: (slug) => (isSlug(slug) ? null : t('collections.fault.slug')),
      image: (image) => (image !== null && image.alt.trim() === '' ? t('common.picture.altMissing') : null),
    },
  })
  const saving = useRecordForm<CollectionValues>({
    form,
    record: recordOf(stored.slug),
    send: async ({ before, after }) => {
      const trimmed = { ...after, title: after.title.trim() }
      if (!isNew) return changeCollection(before, trimmed)
      await createCollection(trimmed)
      return trimmed
    },
    faultsOf: (error) => takenFault('slug', error),
    onSaved(saved, sent) {
      showSaved(form, sent, saved)
      if (isNew) onCreated(saved.slug)
    },
  })
  useStored(form, stored, saving.isPending)

  function submit(): void {
    if (!saving.isPending && !isUploading && !form.validate().hasErrors) saving.save()
  }
  const fault = Object.keys(form.errors).length > 0 ? t('collections.fault.some') : undefined
  return (
    <Stack maw={880}>
      <CollectionTexts form={form} isNew={isNew} canWrite={canWrite} />
      <CollectionProducts
        slugs={form.values.products}
        canWrite={canWrite}
        onChange={(next) => form.setFieldValue('products', next)}
      />
      <SaveBar
        isDirty={form.isDirty()}
        action={t(isNew ? 'collections.create' : 'common.save')}
        isSaving={saving.isPending || isUploading}
        fault={saving.error ? messageOf(saving.error) : fault}
        onSave={submit}
        onDiscard={saving.discard}
      />
      {saving.conflict.dialog}
    </Stack>
  )
}

function recordOf(slug: string): EditedRecord<CollectionValues> {
  return {
    kind: 'collection',
    id: slug,
    fields: [
      { label: t('collections.field.title'), keys: ['title'] },
      { label: t('collections.field.blurb'), keys: ['blurb'] },
      { label: t('collections.field.picture'), keys: ['image'] },
      { label: t('screens.products'), keys: ['products'] },
    ],
    read: async () => valuesOf(await queryClient.fetchQuery({ ...collectionQuery(slug), staleTime: 0 })),
  }
}

interface CollectionTextsProps {
  form: UseFormReturnType<CollectionValues>
  isNew: boolean
  canWrite: boolean
}

function CollectionTexts({ form, isNew, canWrite }: CollectionTextsProps): ReactNode {
  const { t } = useTranslation()
  const [isSlugTyped, setSlugTyped] = useState(false)
  return (
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
  )
}
