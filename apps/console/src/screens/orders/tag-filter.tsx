import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_TAG_LENGTH } from './order-filters.ts'
import { orderTagsQuery } from './orders-queries.ts'

const SHOWN_CHOICES = 20

/** Orders with one tag: any that the person types, or one of those that are suggested. */
export function TagFilter({ value, onChange }: { value: string; onChange: (tag: string) => void }): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  const [isUsed, setUsed] = useState(false)
  const known = useQuery({ ...orderTagsQuery, enabled: isUsed }).data ?? []
  useEffect(() => setText(value), [value])

  function apply(tag: string): void {
    if (tag.trim() !== value) onChange(tag.trim())
  }
  return (
    <Autocomplete
      label={t('orders.filter.tag')}
      data={known}
      limit={SHOWN_CHOICES}
      maxLength={MAX_TAG_LENGTH}
      value={text}
      onChange={setText}
      onOptionSubmit={apply}
      onFocus={() => setUsed(true)}
      onBlur={() => apply(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(text)
      }}
    />
  )
}
