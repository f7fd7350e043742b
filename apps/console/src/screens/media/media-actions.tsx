import { Alert, Button, FileButton, Group, Progress, Text } from '@mantine/core'
import { TrashIcon, UploadIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeUndo } from '../../parts/notices.ts'
import { PICTURE_TYPES, uploadPicture } from '../../parts/upload-picture.ts'
import { queryClient } from '../../query-client.ts'
import { messageOf } from '../../shop.ts'
import { refreshMedia, type MediaWithUses } from '../../parts/media-queries.ts'
import { countReplaceable, replaceEverywhere, replaceIn } from './replace-media.ts'

interface MediaActionsProps {
  media: MediaWithUses
  onDelete: () => void
  onReplaced: () => void
}

/** Shows another picture wherever this one is, or deletes it where nothing shows it. */
export function MediaActions({ media, onDelete, onReplaced }: MediaActionsProps): ReactNode {
  const { t } = useTranslation()
  const [done, setDone] = useState(0)
  const { uses, name } = media
  const useCount = uses.productCount + uses.places.length
  const replaceableCount = countReplaceable(uses)
  const staysSomewhere = useCount > replaceableCount
  const replace = useMutation({
    mutationFn: async (file: File) => {
      setDone(0)
      const other = await uploadPicture(file)
      return { other, records: await replaceEverywhere(media, other, setDone) }
    },
    onSuccess: ({ other, records }) => {
      const undo = (): Promise<unknown> => replaceIn(records, other, media, () => {}).then(refresh)
      const message = t('media.replaced', { count: records.length, name: other.name })
      noticeUndo(message, undo, t('media.replacedBack', { name }))
      onReplaced()
    },
    onSettled: refresh,
  })

  return (
    <div>
      <Group gap="xs">
        {replaceableCount > 0 && (
          <FileButton accept={PICTURE_TYPES} onChange={(file) => file && replace.mutate(file)}>
            {(props) => (
              <Button leftSection={<UploadIcon />} loading={replace.isPending} {...props}>
                {t('media.replace')}
              </Button>
            )}
          </FileButton>
        )}
        <Button
          variant="light"
          color="red"
          leftSection={<TrashIcon />}
          disabled={useCount > 0 || replace.isPending}
          onClick={onDelete}
        >
          {t('media.delete')}
        </Button>
      </Group>
      {replace.isPending && (
        <Progress value={(100 * done) / replaceableCount} aria-label={t('media.replacing')} mt="xs" animated />
      )}
      {useCount > 0 && (
        <Text c="dimmed" mt="xs">
          {t('media.deleteHint')} {staysSomewhere && t('media.replaceHint')}
        </Text>
      )}
      {replace.error && (
        <Alert color="red" mt="xs">
          {messageOf(replace.error)}
        </Alert>
      )}
    </div>
  )
}

function refresh(): void {
  void refreshMedia()
  for (const key of ['products', 'categories', 'collections']) {
    void queryClient.invalidateQueries({ queryKey: [key] })
  }
}
