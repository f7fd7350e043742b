import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { COUNTRY_CODES } from '@storefront/contracts/country-code'
import { countryName } from '../../parts/country.ts'
import { categoryChoices } from '../../parts/category-names.ts'
import { collectionsQuery } from '../collections/collections-queries.ts'
import { categoriesQuery } from '../products/products-queries.ts'
import { textOf } from './document.ts'
import type { InputProps } from './fields.ts'

interface Choice {
  value: string
  label: string
}

export function CategorySelect(props: InputProps<string>): ReactNode {
  const categories = useQuery(categoriesQuery).data?.items ?? []
  return <RecordSelect {...props} choices={categoryChoices(categories)} />
}

export function CollectionSelect(props: InputProps<string>): ReactNode {
  const collections = useQuery(collectionsQuery).data?.items ?? []
  return <RecordSelect {...props} choices={collections.map(({ slug, title }) => ({ value: slug, label: title }))} />
}

function RecordSelect({ choices, value, onChange, ...given }: InputProps<string> & { choices: Choice[] }): ReactNode {
  const { t } = useTranslation()
  const isKnown = value === '' || choices.some((choice) => choice.value === value)
  return (
    <Select
      {...given}
      data={isKnown ? choices : [...choices, { value, label: value }]}
      value={value === '' ? null : value}
      onChange={onChange}
      placeholder={t('storefront.none')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
    />
  )
}

/** Countries as pairs of code and name; the names that the shop has already stay. */
export function CountrySelect({ value, onChange, ...given }: InputProps<readonly unknown[]>): ReactNode {
  const { t } = useTranslation()
  const names = new Map(value.map((pair) => [codeOf(pair), nameOf(pair)]))
  const choices = useMemo(
    () =>
      COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code) })).toSorted((one, other) =>
        one.label.localeCompare(other.label),
      ),
    [],
  )
  return (
    <MultiSelect
      {...given}
      description={t('storefront.countriesHelp')}
      data={choices}
      value={[...names.keys()]}
      onChange={(codes) => onChange(codes.map((code) => [code, names.get(code) ?? countryName(code)]))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      maxDropdownHeight={260}
    />
  )
}

function codeOf(pair: unknown): string {
  return (Array.isArray(pair) ? textOf(pair[0]) : textOf(pair)).toUpperCase()
}

function nameOf(pair: unknown): string {
  return Array.isArray(pair) ? textOf(pair[1]) : textOf(pair)
}
