import { Button, Group, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useWriteNote } from './notes.ts'
import type { Order } from './orders-queries.ts'

const MAX_LENGTH = 2000

/** A new note. What was typed stays until it is saved. */
export function WriteNote({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const writing = useWriteNote(order)
  const isEmpty = text.trim() === ''

  function write(): void {
    if (!isEmpty && !writing.isPending) writing.mutate(text, { onSuccess: () => setText('') })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        write()
      }}
    >
      <Textarea
        mt="xs"
        size="sm"
        aria-label={t('orders.notes.new')}
        placeholder={t('orders.notes.new')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) write()
        }}
      />
      <Group justify="flex-end" mt="xs">
        <Button type="submit" variant="default" size="compact-md" loading={writing.isPending} disabled={isEmpty}>
          {t('orders.notes.write')}
        </Button>
      </Group>
    </form>
  )
}
