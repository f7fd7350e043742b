import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { useEffect, useRef, useState, type ReactNode } from 'react'
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
  const searched = useRef(value)
  const search = useDebouncedCallback((next: string) => {
    searched.current = next
    // A change of the address may have replaced the text since: the field must show what is searched.
    setText((shown) => (shown.trim() === next ? shown : next))
    onSearch(next)
  }, SEARCH_AFTER_MS)
  // The address bar changed otherwise, by the back button or a saved view. What was typed since the last search stays.
  useEffect(() => {
    if (value === searched.current) return
    searched.current = value
    setText(value)
  }, [value])

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
      // It would send the form that the field is in, such as one that chooses a picture.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      leftSection={<MagnifyingGlassIcon />}
      rightSection={text === '' ? null : <CloseButton aria-label={t('common.clear')} onClick={() => change('')} />}
      miw={220}
      flex={1}
    />
  )
}
