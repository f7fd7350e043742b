import { Select } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useVocabulary } from './use-vocabulary.ts'

interface AttributeSelectProps {
  label: string
  value: string
  onlyHighlights: boolean
  error: string | undefined
  onChange: (key: string) => void
}

/** An attribute of the library by its label, or any other that a person types. */
export function AttributeSelect({ label, value, onlyHighlights, error, onChange }: AttributeSelectProps): ReactNode {
  const { t } = useTranslation()
  const { attributes, groups } = useVocabulary()
  const [text, setText] = useState('')
  const shown = attributes.filter(({ key, highlight }) => highlight || !onlyHighlights || key === value)
  const known = new Set(shown.flatMap(({ key, label }) => [key, label.toLowerCase()]))
  const grouped = [...Map.groupBy(shown, ({ group }) => group)].map(([group, items]) => ({
    group: groups.find(({ id }) => id === group)?.label ?? group,
    items: items.map((each) => ({ value: each.key, label: each.label })),
  }))
  const typed = text.trim()
  const own = [
    ...(value !== '' && !known.has(value) ? [{ value, label: value }] : []),
    ...(typed !== '' && typed !== value && !known.has(typed.toLowerCase())
      ? [{ value: typed, label: t('products.specs.use', { name: typed }) }]
      : []),
  ]
  return (
    <Select
      aria-label={label}
      placeholder={t('products.specs.choose')}
      data={[...grouped, ...(own.length > 0 ? [{ group: t('products.specs.other'), items: own }] : [])]}
      value={value === '' ? null : value}
      error={error}
      onChange={(key) => onChange(key ?? '')}
      onSearchChange={setText}
      searchable
      flex={1}
      maw={240}
    />
  )
}
