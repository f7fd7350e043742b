import { Box, Checkbox, Paper, Skeleton, Table, type MantineBreakpoint } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from './error-state.tsx'

export interface Column<Row> {
  /** Unique in the table. */
  id: string
  header: string
  /** Right-aligned, with digits of one width. */
  number?: boolean
  /** Hidden on narrow screens. */
  secondary?: boolean
  /** Hidden on screens that are narrower than this. */
  visibleFrom?: MantineBreakpoint
  cell: (row: Row) => ReactNode
}

/** Rows that a person picked, for a bulk edit. */
export interface Selection {
  ids: ReadonlySet<string>
  change: (ids: ReadonlySet<string>) => void
}

interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  /** Where the first cell of a row leads. */
  linkOf?: (row: Row) => string
  error: unknown
  onRetry: () => void
  /** In place of a table without rows. */
  empty: ReactNode
  selection?: Selection
}

/** A list of records: loading, error, empty, or its rows. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, error, onRetry, empty, selection } = props
  if (error) return <ErrorState error={error} onRetry={onRetry} />
  if (rows?.length === 0) return <Paper withBorder>{empty}</Paper>
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={0}>
        <Table
          className="data-table"
          aria-label={label}
          aria-busy={rows === undefined}
          highlightOnHover
          verticalSpacing={6}
          fz="sm"
        >
          <Table.Thead>
            <Table.Tr>
              {selection && <SelectAll rows={rows} rowId={props.rowId} selection={selection} />}
              {columns.map((column) => (
                <Table.Th key={column.id} className={classOf(column)} {...visibilityOf(column)}>
                  {column.header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              ? rows.map((row) => <DataRow key={props.rowId(row)} row={row} {...props} />)
              : Array.from({ length: 8 }, (_, index) => (
                  <SkeletonRow key={index} columns={columns} wide={!!selection} />
                ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

function DataRow<Row>({ row, columns, rowId, linkOf, selection }: DataTableProps<Row> & { row: Row }): ReactNode {
  const { t } = useTranslation()
  const id = rowId(row)
  return (
    <Table.Tr data-id={id}>
      {selection && (
        <Table.Td w={36}>
          <Checkbox
            size="xs"
            aria-label={t('common.select')}
            checked={selection.ids.has(id)}
            onChange={() => selection.change(toggled(selection.ids, id))}
          />
        </Table.Td>
      )}
      {columns.map((column, index) => (
        <Table.Td key={column.id} className={classOf(column)} {...visibilityOf(column)}>
          {index === 0 && linkOf ? (
            <Link to={linkOf(row)} state={{ isFromList: true }} className="row-link">
              <Box fw={600}>{column.cell(row)}</Box>
            </Link>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function SelectAll<Row>({
  rows = [],
  rowId,
  selection,
}: {
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  selection: Selection
}): ReactNode {
  const { t } = useTranslation()
  const ids = rows.map(rowId)
  const all = ids.length > 0 && ids.every((id) => selection.ids.has(id))
  return (
    <Table.Th w={36}>
      <Checkbox
        size="xs"
        aria-label={t('common.selectAll')}
        checked={all}
        indeterminate={!all && ids.some((id) => selection.ids.has(id))}
        onChange={() => selection.change(new Set(all ? [] : ids))}
      />
    </Table.Th>
  )
}

function SkeletonRow({ columns, wide }: { columns: readonly { id: string }[]; wide: boolean }): ReactNode {
  return (
    <Table.Tr>
      {wide && <Table.Td />}
      {columns.map(({ id }) => (
        <Table.Td key={id}>
          <Skeleton height={14} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

function classOf({ number }: { number?: boolean }): string | undefined {
  return number === true ? 'number' : undefined
}

function visibilityOf({ secondary, visibleFrom }: Pick<Column<never>, 'secondary' | 'visibleFrom'>): {
  visibleFrom?: MantineBreakpoint
} {
  if (visibleFrom !== undefined) return { visibleFrom }
  return secondary === true ? { visibleFrom: 'sm' } : {}
}
