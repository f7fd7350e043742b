import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column, type TableQuery } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ItemMenu } from './item-menu.tsx'
import { vocabularyQuery, type Attribute } from './library-queries.ts'

interface AttributeTableProps {
  attributes: readonly Attribute[] | undefined
  query: TableQuery | undefined
  canWrite: boolean
  create: ReactNode
  onEdit: (attribute: Attribute) => void
}

const SHOWN_VALUES = 6

/** The attributes of the store, with the values that are suggested. */
export function AttributeTable(props: AttributeTableProps): ReactNode {
  const { attributes, query, canWrite, create, onEdit } = props
  const { t } = useTranslation()
  const groups = useQuery(vocabularyQuery).data?.groups ?? []
  const columns: Column<Attribute>[] = [
    {
      id: 'label',
      header: t('library.field.label'),
      cell: ({ label, key, unit }) => (
        <>
          <Text inherit fw={600} className="wrap">
            {unit === undefined ? label : `${label} (${unit})`}
          </Text>
          <Text className="wrap small dimmed">{key}</Text>
        </>
      ),
    },
    {
      id: 'group',
      header: t('library.field.group'),
      secondary: true,
      cell: ({ group }) => groups.find(({ id }) => id === group)?.label ?? group,
    },
    {
      id: 'values',
      header: t('library.field.values'),
      cell: ({ values }) =>
        values.length > SHOWN_VALUES
          ? t('library.more', { values: values.slice(0, SHOWN_VALUES).join(', '), count: values.length - SHOWN_VALUES })
          : values.join(', '),
    },
  ]
  if (canWrite) {
    columns.push({
      id: 'menu',
      header: t('common.actions'),
      isHeaderHidden: true,
      cell: ({ custom: _custom, ...item }) => (
        <ItemMenu kind="attributes" name={item.label} item={item} onEdit={() => onEdit({ ...item, custom: true })} />
      ),
    })
  }
  return (
    <DataTable
      label={t('library.kind.attributes')}
      columns={columns}
      rows={attributes}
      rowId={({ id }) => id}
      query={query}
      empty={<EmptyState title={t('library.none.attributes')} text={t('library.noneText')} action={create} />}
    />
  )
}
