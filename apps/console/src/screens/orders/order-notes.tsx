import { Button, Group, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { NoteForm } from '../../parts/note-form.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { useDialog } from '../../parts/use-dialog.tsx'
import { sessionQuery, useCan } from '../../session.ts'
import { notesIn, useDeleteNote, writeNote, type Note } from './notes.ts'
import type { Order, TimelineStep } from './orders-queries.ts'

interface OrderNotesProps {
  order: Order
  timeline: readonly TimelineStep[] | undefined
}

/** What the shop's staff write about an order; its buyer never sees it. */
export function OrderNotes({ order, timeline = [] }: OrderNotesProps): ReactNode {
  const { t } = useTranslation()
  const mayWrite = useCan()('orders:write')
  const { open, render } = useDialog<Note>()
  const removing = useDeleteNote(order)
  const notes = notesIn(timeline)
  if (notes.length === 0 && !mayWrite) return null
  return (
    <Card title={t('orders.notes.title')} text={t('orders.notes.text')}>
      {mayWrite && (
        <NoteForm
          label={t('orders.notes.new')}
          action={t('orders.notes.write')}
          save={(text) => writeNote(order, text)}
        />
      )}
      {notes.length > 0 && (
        <List listStyleType="none" spacing="sm" mt="sm" aria-label={t('orders.notes.title')}>
          {notes.map((note) => (
            <List.Item key={note.id}>
              <NoteText note={note} onDelete={() => open(note)} />
            </List.Item>
          ))}
        </List>
      )}
      {render((dialog, note) => (
        <ConfirmDialog
          {...dialog}
          title={t('orders.notes.deleteTitle')}
          text={t('orders.notes.deleteText')}
          action={t('orders.notes.deleteAction')}
          isDangerous
          onConfirm={() => removing.mutate(note)}
        />
      ))}
    </Card>
  )
}

function NoteText({ note: { text, at, author, name }, onDelete }: { note: Note; onDelete: () => void }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const user = useQuery(sessionQuery).data?.user
  const isOwn = author !== undefined && author === user?.id
  const mayDelete = can('orders:write') && (isOwn || user?.role === 'owner')
  return (
    <>
      <Text className="text wrap">{text}</Text>
      <Group gap="xs">
        <Text className="small dimmed">
          <RelativeTime at={at} />
          {` · ${isOwn ? t('common.you') : (name ?? t('orders.timeline.someone'))}`}
        </Text>
        {mayDelete && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={onDelete}>
            {t('orders.notes.delete')}
          </Button>
        )}
      </Group>
    </>
  )
}
