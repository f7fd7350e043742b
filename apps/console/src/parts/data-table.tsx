import { Paper, Skeleton, Table, VisuallyHidden, type MantineBreakpoint } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from './error-state.tsx'
import { NotRefreshed } from './not-refreshed.tsx'
import { RowCheckbox } from './row-checkbox.tsx'
import { RowLink } from './row-link.tsx'
import { toggled } from './toggled.ts'

export interface Column<Row> {
  /** Unique in the table. */
  id: string
  header: string
  /** Only read out, where the cells say enough to the eye. */
  isHeaderHidden?: boolean
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

/** The part of a query that matters here. */
export interface TableQuery {
  error: unknown
  refetch: () => Promise<unknown>
}

interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  /** Where the first cell of a row leads. */
  linkOf?: (row: Row) => string
  /** What the rows are read by; undefined where its errors do not matter. */
  query?: TableQuery | undefined
  /** In place of a table without rows. */
  empty: ReactNode
  selection?: Selection
}

interface DataRowProps<Row> extends DataTableProps<Row> {
  row: Row
  selectLabel: string
}

type Shape = Pick<Column<never>, 'number' | 'secondary' | 'visibleFrom'>

const { tr = '', td = '' } = Table.classes

/** A list of records: loading, error, empty, or its rows. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { t } = useTranslation()
  const { label, columns, rows, query, empty, selection } = props
  const retry = (): void => void query?.refetch()
  // Rows stay when a later read fails: what was typed in them would be lost.
  if (query?.error && !rows) return <ErrorState error={query.error} onRetry={retry} />
  const note = query?.error ? <NotRefreshed text={t('common.notRefreshed')} onRetry={retry} /> : null
  if (rows?.length === 0) {
    return (
      <Paper withBorder>
        {note}
        {empty}
      </Paper>
    )
  }
  return (
    <Paper withBorder>
      {note}
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
                <Table.Th key={column.id} className={classOf(column)}>
                  {column.isHeaderHidden ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              ? rows.map((row) => (
                  <DataRow key={props.rowId(row)} row={row} selectLabel={t('common.select')} {...props} />
                ))
              : Array.from({ length: 8 }, (_, index) => (
                  <SkeletonRow key={index} columns={columns} selectable={!!selection} />
                ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

/** Of plain elements with the library's classes: fifty rows of its components take twice as long to render. */
function DataRow<Row>({ row, columns, rowId, linkOf, selection, selectLabel }: DataRowProps<Row>): ReactNode {
  const id = rowId(row)
  const nameId = useId()
  return (
    <tr className={tr} data-with-row-border data-hover data-id={id}>
      {selection && (
        <td className={`${td} pick`}>
          <RowCheckbox
            label={selectLabel}
            describedBy={nameId}
            checked={selection.ids.has(id)}
            onChange={() => selection.change(toggled(selection.ids, id))}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} className={`${td} ${classOf(column)}`} {...(selection && index === 0 && { id: nameId })}>
          {index === 0 && linkOf ? (
            <RowLink to={linkOf(row)}>
              <div className="strong">{column.cell(row)}</div>
            </RowLink>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
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
    <Table.Th className="pick">
      <RowCheckbox
        label={t('common.selectAll')}
        checked={all}
        isPartly={!all && ids.some((id) => selection.ids.has(id))}
        onChange={() => selection.change(new Set(all ? [] : ids))}
      />
    </Table.Th>
  )
}

function SkeletonRow({ columns, selectable }: { columns: readonly { id: string }[]; selectable: boolean }): ReactNode {
  return (
    <tr className={tr} data-with-row-border data-hover>
      {selectable && <td className={td} />}
      {columns.map(({ id }) => (
        <td key={id} className={td}>
          <Skeleton height={14} my={4} />
        </td>
      ))}
    </tr>
  )
}

/** With a class of the library that hides the column. */
function classOf({ number, secondary, visibleFrom = secondary === true ? 'sm' : undefined }: Shape): string {
  const classes = [number === true && 'number', visibleFrom !== undefined && `mantine-visible-from-${visibleFrom}`]
  return classes.filter(Boolean).join(' ')
}
