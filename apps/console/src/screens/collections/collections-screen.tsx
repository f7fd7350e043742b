import { Button, Group, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { numeral } from '../../parts/formats.ts'
import { Page } from '../../parts/page.tsx'
import { Thumbnail } from '../../parts/picture.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { useDialog } from '../../parts/use-dialog.tsx'
import { useCan } from '../../session.ts'
import { collectionsQuery, type ListedCollection } from './collections-queries.ts'
import { deleteCollection, readToDelete, type Deletion } from './delete-collection.ts'
import { moveCollection } from './move-collection.ts'

/** The collections in their order. */
export function CollectionsScreen(): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const read = useQuery(collectionsQuery)
  const collections = read.data?.items ?? []
  const { open, render } = useDialog<Deletion>()
  const create = (
    <Button variant="filled" component={Link} to="/collections/new" leftSection={<PlusIcon />}>
      {t('collections.new')}
    </Button>
  )

  const columns = columnsOf(t)
  if (canWrite) {
    columns.push({
      id: 'menu',
      header: t('common.actions'),
      isHeaderHidden: true,
      cell: (collection) => (
        <CollectionMenu collection={collection} all={collections} onDelete={() => open(readToDelete(collection))} />
      ),
    })
  }

  return (
    <Page title={t('screens.collections')} actions={canWrite && create}>
      <DataTable
        label={t('screens.collections')}
        columns={columns}
        rows={read.data?.items}
        rowId={({ slug }) => slug}
        query={read.data ? undefined : read}
        empty={
          <EmptyState title={t('collections.none')} text={t('collections.noneText')} action={canWrite && create} />
        }
      />
      {render((dialog, deletion) => (
        <ConfirmDialog
          {...dialog}
          title={t('collections.deleteTitle', { title: deletion.listed.title })}
          text={t('collections.deleteText', { count: deletion.listed.productCount })}
          action={t('collections.delete')}
          isDangerous
          onConfirm={() => void deleteCollection(deletion)}
        />
      ))}
    </Page>
  )
}

interface CollectionMenuProps {
  collection: ListedCollection
  /** In their order. */
  all: readonly ListedCollection[]
  onDelete: () => void
}

function CollectionMenu({ collection, all, onDelete }: CollectionMenuProps): ReactNode {
  const { t } = useTranslation()
  const index = all.indexOf(collection)
  const moveTo = (to: number) => () => void moveCollection(collection, to)
  return (
    <RowMenu
      label={t('collections.menu', { title: collection.title })}
      actions={[
        ...(index > 0 ? [{ label: t('collections.up'), onClick: moveTo(index - 1) }] : []),
        ...(index < all.length - 1 ? [{ label: t('collections.down'), onClick: moveTo(index + 1) }] : []),
        { label: t('collections.delete'), isDangerous: true, onClick: onDelete },
      ]}
    />
  )
}

function columnsOf(t: TFunction): Column<ListedCollection>[] {
  return [
    {
      id: 'title',
      header: t('collections.field.title'),
      cell: ({ slug, title, image }) => (
        <Group gap="sm" wrap="nowrap">
          <Thumbnail url={image?.url} />
          <Link to="/collections/edit" search={{ slug }} state={{ list: '/collections' }} className="row-link">
            <Text inherit fw={600}>
              {title}
            </Text>
          </Link>
        </Group>
      ),
    },
    { id: 'slug', header: t('collections.field.slug'), secondary: true, cell: ({ slug }) => slug },
    {
      id: 'products',
      header: t('screens.products'),
      number: true,
      cell: ({ productCount }) => numeral(productCount),
    },
    {
      id: 'count',
      header: t('collections.shown'),
      number: true,
      secondary: true,
      cell: ({ count }) => numeral(count),
    },
  ]
}
