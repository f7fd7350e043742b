import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const SEARCH_AFTER_MS = 200

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

/** Searches while a person types. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  const search = useDebouncedCallback(onSearch, SEARCH_AFTER_MS)
  // The address bar changed otherwise, by the back button or a saved view. A space that was just typed stays.
  useEffect(() => setText((text) => (text.trim() === value ? text : value)), [value])

  function change(next: string): void {
    setText(next)
    search(next.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<MagnifyingGlassIcon />}
      rightSection={text === '' ? null : <CloseButton aria-label={t('common.clear')} onClick={() => change('')} />}
      miw={220}
      flex={1}
    />
  )
}
