import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { shop } from '../../../shop.ts'
import { PRODUCTS_KEY } from '../products-queries.ts'
import { useEditor } from './editor-context.ts'

const SEARCH_AFTER_MS = 200
const FOUND = 20

/** Products to recommend with this one. */
export function RelatedProducts(): ReactNode {
  const { t } = useTranslation()
  const { form, change, errors } = useEditor()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS)
  const found = useQuery({
    queryKey: [PRODUCTS_KEY, 'related', q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => shop.get('/admin/products', { params: { query: { q, per_page: FOUND } } }),
  })
  const choices = new Map((found.data?.items ?? []).map(({ slug, title }) => [slug, title]))
  for (const slug of form.relatedSlugs) if (!choices.has(slug)) choices.set(slug, slug)
  return (
    <MultiSelect
      label={t('products.field.related')}
      description={t('products.field.relatedHint')}
      data={[...choices].map(([value, label]) => ({ value, label }))}
      value={form.relatedSlugs}
      onChange={(relatedSlugs) => change(() => ({ relatedSlugs }))}
      error={errors['relatedSlugs']}
      searchable
      searchValue={text}
      onSearchChange={setText}
      hidePickedOptions
      nothingFoundMessage={q === '' ? t('products.field.relatedType') : t('products.noneFound')}
    />
  )
}
