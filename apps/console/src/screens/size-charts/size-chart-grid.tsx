import { Button, Group, Table } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { t } from 'i18next'
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowMenu } from '../../parts/row-menu.tsx'
import { cellsOf, focusBeside } from '../../parts/spreadsheet.ts'
import spreadsheet from '../../parts/spreadsheet.module.css'
import { columnActions, rowActions } from './size-chart-actions.ts'
import classes from './size-chart-grid.module.css'
import { filledFrom, isValid, withColumn, withRow, type Cell, type SizeChartValues } from './size-chart-values.ts'

interface SizeChartGridProps {
  values: SizeChartValues
  canWrite: boolean
  showsFaults: boolean
  onChange: (values: SizeChartValues) => void
}

export function focusCell({ row, column }: Cell): void {
  document.querySelector<HTMLInputElement>(`input[data-row="${row}"][data-column="${column}"]`)?.focus()
}

/** The table of a size chart: sizes in the first column, measurements in the others. Takes cells of a spreadsheet. */
export function SizeChartGrid(props: SizeChartGridProps): ReactNode {
  const { values, canWrite, onChange } = props
  const { t } = useTranslation()

  function paste(event: ClipboardEvent): void {
    const at = cellAt(event.target)
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (!at || !cells) return
    event.preventDefault()
    onChange(filledFrom(values, at, cells))
  }

  return (
    <>
      <Table.ScrollContainer minWidth={0} mt="sm">
        <Table className={classes['grid']} aria-label={t('sizeCharts.table')} onPaste={paste} onKeyDown={press}>
          <Table.Thead>
            <Table.Tr>
              {values.columns.map((_name, column) => (
                <ColumnHeading key={column} column={column} {...props} />
              ))}
              {canWrite && <Table.Th aria-label={t('sizeCharts.rowActions')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {values.rows.map((_cells, row) => (
              <SizeRow key={row} row={row} {...props} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {canWrite && (
        <Group gap="xs" mt="sm">
          <Button size="xs" leftSection={<PlusIcon />} onClick={() => onChange(withRow(values))}>
            {t('sizeCharts.addRow')}
          </Button>
          <Button size="xs" leftSection={<PlusIcon />} onClick={() => onChange(withColumn(values))}>
            {t('sizeCharts.addColumn')}
          </Button>
        </Group>
      )}
    </>
  )
}

function ColumnHeading({ values, column, canWrite, onChange }: SizeChartGridProps & { column: number }): ReactNode {
  const { t } = useTranslation()
  const { columns } = values
  return (
    <Table.Th>
      <Group gap={2} wrap="nowrap">
        <input
          className={spreadsheet['cell']}
          aria-label={t('sizeCharts.heading', { number: column + 1 })}
          placeholder={column === 0 ? t('sizeCharts.sizeHint') : t('sizeCharts.measureHint')}
          value={columns[column]}
          onChange={({ currentTarget: { value } }) => onChange({ ...values, columns: columns.with(column, value) })}
          disabled={!canWrite}
          maxLength={100}
        />
        {canWrite && (
          <RowMenu
            label={t('sizeCharts.columnMenu', { name: columnName(values, column) })}
            actions={columnActions(values, column, onChange)}
          />
        )}
      </Group>
    </Table.Th>
  )
}

function SizeRow({ values, row, canWrite, showsFaults, onChange }: SizeChartGridProps & { row: number }): ReactNode {
  const { t } = useTranslation()
  const cells = values.rows[row] ?? []
  const name = cells[0] || row + 1
  return (
    <Table.Tr>
      {cells.map((text, column) => (
        <Table.Td key={column}>
          <input
            className={spreadsheet['cell']}
            aria-label={t('sizeCharts.cell', { row: name, column: columnName(values, column) })}
            aria-invalid={showsFaults && !isValid(text, column)}
            inputMode={column === 0 ? 'text' : 'decimal'}
            data-number={column > 0}
            data-row={row}
            data-column={column}
            value={text}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...values, rows: values.rows.with(row, cells.toSpliced(column, 1, value)) })
            }
            disabled={!canWrite}
            maxLength={100}
          />
        </Table.Td>
      ))}
      {canWrite && (
        <Table.Td>
          <RowMenu label={t('sizeCharts.rowMenu', { name })} actions={rowActions(values, row, onChange)} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}

function columnName({ columns }: SizeChartValues, column: number): string {
  return columns[column] || t('sizeCharts.column', { number: column + 1 })
}

function cellAt(target: EventTarget): Cell | undefined {
  if (!(target instanceof HTMLInputElement) || target.dataset['row'] === undefined) return undefined
  return { row: Number(target.dataset['row']), column: Number(target.dataset['column']) }
}

function press(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLInputElement) || !cellAt(event.target)) return
  const isDown = event.key === 'ArrowDown' || (event.key === 'Enter' && !event.shiftKey)
  const isUp = event.key === 'ArrowUp' || (event.key === 'Enter' && event.shiftKey)
  if ((isDown || isUp) && focusBeside(event.target, isDown ? 1 : -1)) event.preventDefault()
}
