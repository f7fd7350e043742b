import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { FocalPointForm } from './focal-point-form.tsx'
import { LoadingState } from './loading-state.tsx'
import { oneMediaQuery } from './media-queries.ts'
import { pictureAddress } from './picture.tsx'
import type { DialogProps } from './use-dialog.tsx'

/** The focal point of an upload, over the page. */
export function FocalPointDialog({ mediaId, opened, onClose }: DialogProps & { mediaId: string }): ReactNode {
  const { t } = useTranslation()
  const media = useQuery(oneMediaQuery(mediaId))
  return (
    <Dialog opened={opened} onClose={onClose} title={t('common.focalPoint.title')}>
      {media.data ? (
        <FocalPointForm media={media.data} src={pictureAddress(media.data.path)} canWrite onSaved={onClose} />
      ) : (
        <LoadingState queries={[media]} waiting={<Skeleton height={300} />} />
      )}
    </Dialog>
  )
}
