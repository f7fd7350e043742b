import { Anchor, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { FocalPointForm } from '../../parts/focal-point-form.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { MEDIA, oneMediaQuery, type MediaWithUses } from '../../parts/media-queries.ts'
import { noticeDone, succeeds } from '../../parts/notices.ts'
import { formatDate } from '../../parts/relative-time.tsx'
import { SideDrawer } from '../../parts/side-drawer.tsx'
import type { DialogProps } from '../../parts/use-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { AltForm } from './alt-form.tsx'
import { MediaActions } from './media-actions.tsx'
import { addressOf } from './media-tile.tsx'
import { UseList } from './use-list.tsx'

interface MediaDrawerProps extends DialogProps {
  id: string
  name: string
  canWrite: boolean
}

/** All about one picture. */
export function MediaDrawer({ id, name, opened, onClose, canWrite }: MediaDrawerProps): ReactNode {
  const { t } = useTranslation()
  const media = useQuery(oneMediaQuery(id))
  const [isAsking, setAsking] = useState(false)

  async function remove(): Promise<void> {
    if (!(await succeeds(shop.delete('/admin/media/{id}', { params: { path: { id } } })))) return
    onClose()
    noticeDone(t('media.deleted', { name }))
    // The lists only, not the deleted picture itself, which is still on the screen for a moment.
    await queryClient.invalidateQueries({ queryKey: [...MEDIA, 'list'] })
  }

  return (
    <>
      <SideDrawer opened={opened} onClose={onClose} title={name} closeOnEscape={!isAsking}>
        {media.data ? (
          <Details media={media.data} canWrite={canWrite} onDelete={() => setAsking(true)} onReplaced={onClose} />
        ) : (
          <LoadingState queries={[media]} waiting={<Skeleton height={300} />} />
        )}
      </SideDrawer>
      <ConfirmDialog
        opened={isAsking}
        title={t('media.deleteTitle', { name })}
        text={t('media.deleteText')}
        action={t('media.delete')}
        isDangerous
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
      />
    </>
  )
}

interface DetailsProps {
  media: MediaWithUses
  canWrite: boolean
  onDelete: () => void
  onReplaced: () => void
}

function Details({ media, canWrite, onDelete, onReplaced }: DetailsProps): ReactNode {
  const { t } = useTranslation()
  const { url, alt, uses, createdAt } = media
  return (
    <Stack>
      <FocalPointForm media={media} src={addressOf(url)} canWrite={canWrite} />
      <AltForm key={alt} media={media} canWrite={canWrite} />
      <section>
        <Title order={3} size="h5" mb={4}>
          {t('media.whereUsed')}
        </Title>
        <UseList uses={uses} />
      </section>
      {canWrite && <MediaActions media={media} onDelete={onDelete} onReplaced={onReplaced} />}
      <section>
        <Title order={3} size="h5" mb={4}>
          {t('media.sizes')}
        </Title>
        <Sizes media={media} />
        <Text c="dimmed" mt="xs">
          {t('media.uploadedOn', { date: formatDate(createdAt) })}
        </Text>
      </section>
      <CopyText label={t('media.address')} value={url} />
    </Stack>
  )
}

function Sizes({ media: { sizes, jpeg } }: { media: MediaWithUses }): ReactNode {
  const { t } = useTranslation()
  const kilobytes = new Intl.NumberFormat(i18next.language, {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 1,
  })
  return (
    <Table fz="sm" verticalSpacing={4} aria-label={t('media.sizes')}>
      <Table.Tbody>
        {[...sizes.map((size) => ({ ...size, format: 'WebP' })), { ...jpeg, format: 'JPEG' }].map((size) => (
          <Table.Tr key={size.url}>
            <Table.Td>
              <Anchor href={addressOf(size.url)} target="_blank" rel="noreferrer" inherit>
                {size.width} × {size.height}
              </Anchor>
            </Table.Td>
            <Table.Td>{size.format}</Table.Td>
            <Table.Td className="number">{kilobytes.format(size.bytes / 1000)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
