import { MultiSelect, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { categoryChoices } from '../../../parts/category-names.ts'
import { categoriesQuery, tagsQuery } from '../products-queries.ts'
import type { ChangeFieldsProps } from './change-draft.ts'

const SHOWN_CHOICES = 100
const MAX_TAGS = 100

/** Tags that the products get, and tags that they lose. */
export function TagFields({ draft: { add, remove }, onChange }: ChangeFieldsProps): ReactNode {
  const { t } = useTranslation()
  const known = useQuery(tagsQuery).data ?? []
  return (
    <>
      <TagsInput
        label={t('products.bulk.addTags')}
        description={t('products.field.tagsHint')}
        data-autofocus
        data={known}
        limit={SHOWN_CHOICES}
        maxTags={MAX_TAGS}
        value={add}
        onChange={(next) => onChange({ add: next })}
      />
      <TagsInput
        label={t('products.bulk.removeTags')}
        data={known}
        limit={SHOWN_CHOICES}
        maxTags={MAX_TAGS}
        value={remove}
        onChange={(next) => onChange({ remove: next })}
      />
    </>
  )
}

/** Categories that the products get, and categories that they lose. */
export function CategoryFields({ draft: { add, remove }, onChange }: ChangeFieldsProps): ReactNode {
  const { t } = useTranslation()
  const categories = useQuery(categoriesQuery).data?.items
  const choices = useMemo(() => categoryChoices(categories ?? []), [categories])
  const shared = {
    data: choices,
    searchable: true,
    hidePickedOptions: true,
    limit: SHOWN_CHOICES,
    nothingFoundMessage: t('products.noCategory'),
  }
  return (
    <>
      <MultiSelect
        {...shared}
        label={t('products.bulk.addCategories')}
        data-autofocus
        value={add}
        onChange={(next) => onChange({ add: next })}
      />
      <MultiSelect
        {...shared}
        label={t('products.bulk.removeCategories')}
        value={remove}
        onChange={(next) => onChange({ remove: next })}
      />
    </>
  )
}
