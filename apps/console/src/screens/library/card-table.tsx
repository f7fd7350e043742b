import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column, type TableQuery } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ItemMenu } from './item-menu.tsx'
import { textsOf, type Card, type CardKind } from './library-queries.ts'

interface CardTableProps {
  kind: CardKind
  cards: readonly Card[] | undefined
  query: TableQuery | undefined
  canWrite: boolean
  create: ReactNode
  onEdit: (card: Card) => void
}

/** Features or assurances. */
export function CardTable({ kind, cards, query, canWrite, create, onEdit }: CardTableProps): ReactNode {
  const { t } = useTranslation()
  const columns: Column<Card>[] = [
    {
      id: 'title',
      header: t(`library.title.${kind}`),
      cell: (card) => (
        <Text inherit fw={600} className="wrap">
          {textsOf(card).title}
        </Text>
      ),
    },
    {
      id: 'text',
      header: t('library.field.text'),
      cell: (card) => (
        <Text inherit lineClamp={2} className="wrap">
          {textsOf(card).text}
        </Text>
      ),
    },
    { id: 'icon', header: t('library.field.icon'), secondary: true, cell: ({ icon }) => icon },
  ]
  if (canWrite) {
    columns.push({
      id: 'menu',
      header: t('common.actions'),
      isHeaderHidden: true,
      cell: (card) => <ItemMenu kind={kind} name={textsOf(card).title} item={card} onEdit={() => onEdit(card)} />,
    })
  }
  return (
    <DataTable
      label={t(`library.kind.${kind}`)}
      columns={columns}
      rows={cards}
      rowId={({ id }) => id}
      query={query}
      empty={<EmptyState title={t(`library.none.${kind}`)} text={t('library.noneText')} action={create} />}
    />
  )
}
