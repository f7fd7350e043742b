import { Button, Group, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { noticeFailure } from './notices.ts'

const MAX_LENGTH = 2000

interface NoteFormProps {
  label: string
  /** On the button. */
  action: string
  save: (text: string) => Promise<unknown>
}

/** A new note. What was typed stays until it is saved. */
export function NoteForm({ label, action, save }: NoteFormProps): ReactNode {
  const [text, setText] = useState('')
  const saving = useMutation({
    mutationFn: save,
    // Unless the next note is being typed already.
    onSuccess: (_saved, written) => setText((current) => (current === written ? '' : current)),
    onError: noticeFailure,
  })
  const isEmpty = text.trim() === ''

  function submit(): void {
    if (!isEmpty && !saving.isPending) saving.mutate(text)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        mt="xs"
        size="sm"
        aria-label={label}
        placeholder={label}
        maxRows={12}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
        }}
      />
      <Group justify="flex-end" mt="xs">
        <Button type="submit" size="compact-md" loading={saving.isPending} disabled={isEmpty}>
          {action}
        </Button>
      </Group>
    </form>
  )
}
