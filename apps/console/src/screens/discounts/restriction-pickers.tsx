import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ResponseOf } from '@storefront/client'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { categoriesQuery, productChoicesQuery } from './discounts-queries.ts'

interface PickerProps {
  value?: string[]
  onChange?: (value: string[]) => void
  error?: ReactNode
}

const SEARCH_AFTER_MS = 200

export function CategoryPicker(props: PickerProps): ReactNode {
  const { t } = useTranslation()
  const categories = useQuery(categoriesQuery).data ?? []
  return (
    <MultiSelect
      label={t('discounts.field.categories')}
      data={withChosen(
        categories.map((category) => ({ value: category.slug, label: pathOf(category, categories) })),
        props.value,
      )}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('discounts.nothingFound')}
      maxDropdownHeight={260}
      mb="sm"
      {...props}
    />
  )
}

type Category = Pick<ResponseOf<'GET /admin/categories'>['items'][number], 'slug' | 'name' | 'parent'>

/** A name with those above it: there are shirts for women and for men. */
function pathOf({ name, parent }: Category, categories: readonly Category[]): string {
  const above = categories.find(({ slug }) => slug === parent)
  return above ? `${pathOf(above, categories)} / ${name}` : name
}

/** Finds products by their title; products that were chosen before are known by their slug. */
export function ProductPicker(props: PickerProps): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS)
  const found = useQuery(productChoicesQuery(q)).data ?? []
  return (
    <MultiSelect
      label={t('discounts.field.products')}
      data={withChosen(
        found.map(({ slug, title }) => ({ value: slug, label: title })),
        props.value,
      )}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // The shop has searched already.
      filter={({ options }) => options}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      nothingFoundMessage={t('discounts.nothingFound')}
      maxDropdownHeight={260}
      {...props}
    />
  )
}

interface Choice {
  value: string
  label: string
}

/** A chosen value that is not among the choices would not be shown. */
function withChosen(choices: Choice[], chosen: readonly string[] = []): Choice[] {
  const known = new Set(choices.map(({ value }) => value))
  return [...choices, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))]
}
