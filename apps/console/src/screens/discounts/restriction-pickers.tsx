import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { categoryChoices } from '../../parts/category-names.ts'
import { foundProductsQuery } from '../../parts/found-products.ts'
import { categoriesQuery } from '../categories/categories-queries.ts'

interface PickerProps {
  value?: string[]
  onChange?: (value: string[]) => void
  error?: ReactNode
}

const SEARCH_AFTER_MS = 200

export function CategoryPicker(props: PickerProps): ReactNode {
  const { t } = useTranslation()
  const categories = useQuery(categoriesQuery).data?.items ?? []
  return (
    <MultiSelect
      label={t('discounts.field.categories')}
      data={withChosen(categoryChoices(categories), props.value)}
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

/** Finds products by their title; products that were chosen before are known by their slug. */
export function ProductPicker(props: PickerProps): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS)
  const found = useQuery(foundProductsQuery(q, 1)).data?.items ?? []
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
