import { Button, FileButton, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { mediaQuery, type ListedMedia } from '../../parts/media-queries.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { PICTURE_TYPES } from '../../parts/upload-picture.ts'
import { useDialog } from '../../parts/use-dialog.tsx'
import { useCan } from '../../session.ts'
import { DeleteUnused } from './delete-unused.tsx'
import classes from './media.module.css'
import { MediaDrawer } from './media-drawer.tsx'
import { MediaTile } from './media-tile.tsx'
import { UploadList } from './upload-list.tsx'
import { useMediaUploads } from './use-media-uploads.ts'

/** All pictures that were uploaded. */
export function MediaScreen(): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const [filters, change] = useFilters()
  const unused = filters['unused'] === 'true'
  const q = filters['q'] ?? ''
  const page = pageOf(filters)
  const media = useQuery(mediaQuery({ q, unused, page }))
  const { uploads, upload, clear } = useMediaUploads()
  const details = useDialog<ListedMedia>()
  const items = media.data?.items
  const choose = canWrite && <ChoosePictures onChoose={(files) => void upload(files)} />

  return (
    <DropArea isActive={canWrite} onFiles={(files) => void upload(files)}>
      <Page title={t('screens.media')} actions={choose}>
        <Group mb="sm" gap="xs">
          <SearchBox label={t('common.picture.search')} value={q} onSearch={(text) => change({ q: text })} />
          <SegmentedControl
            aria-label={t('media.use')}
            value={unused ? 'true' : ''}
            onChange={(value) => change({ unused: value })}
            data={[
              { value: '', label: t('media.all') },
              { value: 'true', label: t('media.unused') },
            ]}
          />
          {canWrite && unused && items && items.length > 0 && <DeleteUnused media={items} />}
        </Group>
        <UploadList uploads={uploads} onClose={clear} />
        {media.error && !items && <ErrorState error={media.error} onRetry={() => void media.refetch()} />}
        {media.data?.total === 0 && (
          <EmptyState
            title={t(q === '' && !unused ? 'media.none' : 'media.noneFound')}
            text={t(q === '' && !unused ? 'media.noneText' : 'media.noneFoundText')}
            action={q === '' && !unused && choose}
          />
        )}
        <MediaGrid items={items} isPending={media.isPending} onOpen={details.open} />
        {media.data && media.data.total > 0 && (
          <Pager {...media.data} onPage={(next) => change({ page: String(next) })} />
        )}
        {canWrite && (
          <Text c="dimmed" mt="sm" visibleFrom="sm">
            {t('media.dropHint')}
          </Text>
        )}
      </Page>
      {details.render((props, { id, name }) => (
        <MediaDrawer {...props} id={id} name={name} canWrite={canWrite} />
      ))}
    </DropArea>
  )
}

function ChoosePictures({ onChoose }: { onChoose: (files: File[]) => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <FileButton multiple accept={PICTURE_TYPES} onChange={onChoose}>
      {(props) => (
        <Button variant="filled" leftSection={<UploadIcon />} {...props}>
          {t('media.upload')}
        </Button>
      )}
    </FileButton>
  )
}

interface MediaGridProps {
  items: readonly ListedMedia[] | undefined
  isPending: boolean
  onOpen: (media: ListedMedia) => void
}

function MediaGrid({ items, isPending, onOpen }: MediaGridProps): ReactNode {
  const { t } = useTranslation()
  return (
    <ul className={classes['grid']} aria-label={t('screens.media')} aria-busy={isPending}>
      {items?.map((each) => (
        <MediaTile key={each.id} media={each} onOpen={() => onOpen(each)} />
      ))}
      {isPending &&
        Array.from({ length: 12 }, (_each, index) => (
          <li key={index}>
            <Skeleton height={180} />
          </li>
        ))}
    </ul>
  )
}

interface DropAreaProps {
  isActive: boolean
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** Takes pictures that are dropped anywhere on the page. */
function DropArea({ isActive, onFiles, children }: DropAreaProps): ReactNode {
  const [isOver, setOver] = useState(false)
  const bringsFiles = ({ dataTransfer }: DragEvent): boolean => isActive && dataTransfer.types.includes('Files')
  return (
    <div
      className={classes['drop']}
      data-over={isOver}
      onDragOver={(event) => {
        if (!bringsFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        // Not when the pointer only goes from one part of the page to another.
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!bringsFiles(event)) return
        event.preventDefault()
        onFiles(Array.from(event.dataTransfer.files))
      }}
    >
      {children}
    </div>
  )
}
