import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inParallel } from '../../parts/in-parallel.ts'
import { refreshMedia, type ListedMedia } from '../../parts/media-queries.ts'
import { noticeDone, noticeFailure } from '../../parts/notices.ts'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { shop } from '../../shop.ts'

const AT_ONCE = 4

/** Deletes the unused pictures of a page. One that is used by now stays: the shop looks again. */
export function DeleteUnused({ media }: { media: readonly ListedMedia[] }): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [isRunning, setRunning] = useState(false)

  async function remove(): Promise<void> {
    setRunning(true)
    let deleted = 0
    const failures: unknown[] = []
    await inParallel(media, AT_ONCE, async ({ id }) => {
      try {
        await shop.delete('/admin/media/{id}', { params: { path: { id } } })
        deleted += 1
      } catch (error) {
        failures.push(error)
      }
    })
    setRunning(false)
    void refreshMedia()
    if (deleted > 0) noticeDone(t('media.deletedMany', { count: deleted }))
    if (failures.length > 0) noticeFailure(failures[0])
  }

  return (
    <>
      <Button variant="light" color="red" loading={isRunning} onClick={() => setOpen(true)}>
        {t('media.deleteMany', { count: media.length })}
      </Button>
      <TypedConfirmation
        opened={isOpen}
        title={t('media.deleteManyTitle', { count: media.length })}
        text={t('media.deleteManyText')}
        word={t('media.deleteWord')}
        action={t('media.delete')}
        onClose={() => setOpen(false)}
        onConfirm={() => void remove()}
      />
    </>
  )
}
