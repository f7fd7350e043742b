import { Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { noticeDone, noticeFailure } from '../../parts/notices.ts'
import { NoteForm } from '../../parts/note-form.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { useDialog } from '../../parts/use-dialog.tsx'
import { sessionQuery, useCan } from '../../session.ts'
import { shop } from '../../shop.ts'
import { refreshBuyers, type BuyerDetails, type BuyerNote } from './buyers-queries.ts'

async function writeNote(id: string, text: string): Promise<void> {
  await shop.post('/admin/buyers/{id}/notes', { params: { path: { id } }, body: { text: text.trim() } })
  void refreshBuyers()
}

/** What the shop's staff wrote about a person, the latest first. */
export function BuyerNotes({ buyer: { id, notes } }: { buyer: BuyerDetails }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const { open, render } = useDialog<BuyerNote>()
  const remove = useMutation({
    mutationFn: (noteId: string) =>
      shop.delete('/admin/buyers/{id}/notes/{noteId}', { params: { path: { id, noteId } } }),
    onSuccess: () => {
      noticeDone(t('customers.notes.deleted'))
      return refreshBuyers()
    },
    onError: noticeFailure,
  })
  return (
    <Card title={t('customers.notes.title')} text={t('customers.notes.text')}>
      <Stack mt="sm">
        {can('customers:write') && (
          <NoteForm
            label={t('customers.notes.write')}
            action={t('customers.notes.add')}
            save={(text) => writeNote(id, text)}
          />
        )}
        {notes.map((note) => (
          <Note key={note.id} note={note} onDelete={() => open(note)} />
        ))}
      </Stack>
      {render((dialog, note) => (
        <ConfirmDialog
          {...dialog}
          title={t('customers.notes.deleteTitle')}
          text={note.text}
          action={t('customers.notes.delete')}
          isDangerous
          onConfirm={() => remove.mutate(note.id)}
        />
      ))}
    </Card>
  )
}

function Note({ note, onDelete }: { note: BuyerNote; onDelete: () => void }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const own = useQuery(sessionQuery).data?.user.id
  // An owner deletes any.
  const mayDelete = can('customers:write') && (note.author === own || can('admins:write'))
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Text className="wrap" style={{ whiteSpace: 'pre-line' }}>
          {note.text}
        </Text>
        <Text className="small dimmed">
          <RelativeTime at={note.at} />
          {` · ${note.by?.name ?? t('customers.notes.someone')}`}
        </Text>
      </div>
      {mayDelete && (
        <RowMenu
          label={t('customers.notes.actions')}
          actions={[{ label: t('customers.notes.delete'), isDangerous: true, onClick: onDelete }]}
        />
      )}
    </Group>
  )
}
