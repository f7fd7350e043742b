import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeUndo } from '../../parts/notices.ts'
import { messageOf, shop } from '../../shop.ts'
import { refreshMedia, type MediaWithUses } from '../../parts/media-queries.ts'

/** What a picture shows, in words. */
export function AltForm({ media, canWrite }: { media: MediaWithUses; canWrite: boolean }): ReactNode {
  const { t } = useTranslation()
  const { id, alt = '' } = media
  const [text, setText] = useState(alt)
  const write = async (next: string): Promise<void> => {
    const body = { alt: next.trim() === '' ? null : next.trim() }
    await shop.patch('/admin/media/{id}', { params: { path: { id } }, body })
    await refreshMedia()
  }
  const save = useMutation({
    mutationFn: write,
    onSuccess: () => noticeUndo(t('media.textSaved'), () => write(alt), t('media.textRestored')),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(text)
      }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t('common.picture.alt')}
          description={t('media.textHint')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={save.error ? messageOf(save.error) : undefined}
          maxLength={500}
          disabled={!canWrite}
          flex={1}
        />
        {canWrite && (
          <Button type="submit" loading={save.isPending} disabled={text.trim() === alt}>
            {t('common.save')}
          </Button>
        )}
      </Group>
    </form>
  )
}
