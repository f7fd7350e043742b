import { Button, Group, Table } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowMenu, type RowAction } from '../../parts/row-menu.tsx'
import { cellsOf, focusBeside } from '../../parts/spreadsheet.ts'
import { movedTo } from '../../parts/use-drag-order.ts'
import spreadsheet from '../../parts/spreadsheet.module.css'
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
export function SizeChartGrid({ values, canWrite, showsFaults, onChange }: SizeChartGridProps): ReactNode {
  const { t } = useTranslation()
  const { columns, rows } = values
  const nameOf = (column: number): string => columns[column] || t('sizeCharts.column', { number: column + 1 })
  const setCell = ({ row, column }: Cell, text: string): void =>
    onChange({ ...values, rows: rows.with(row, (rows[row] ?? []).toSpliced(column, 1, text)) })

  function paste(event: ClipboardEvent): void {
    const at = cellAt(event.target)
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (!at || !cells) return
    event.preventDefault()
    onChange(filledFrom(values, at, cells))
  }

  const moveColumn = (from: number, to: number): void =>
    onChange({ ...values, columns: movedTo(columns, from, to), rows: rows.map((row) => movedTo(row, from, to)) })
  const columnActions = (column: number): RowAction[] => [
    ...(column > 1 ? [{ label: t('sizeCharts.left'), onClick: () => moveColumn(column, column - 1) }] : []),
    ...(column > 0 && column < columns.length - 1
      ? [{ label: t('sizeCharts.right'), onClick: () => moveColumn(column, column + 1) }]
      : []),
    ...(column > 0
      ? [
          {
            label: t('sizeCharts.removeColumn'),
            isDangerous: true,
            onClick: () =>
              onChange({
                ...values,
                columns: columns.toSpliced(column, 1),
                rows: rows.map((row) => row.toSpliced(column, 1)),
              }),
          },
        ]
      : []),
  ]
  const rowActions = (row: number): RowAction[] => [
    ...(row > 0
      ? [{ label: t('sizeCharts.up'), onClick: () => onChange({ ...values, rows: movedTo(rows, row, row - 1) }) }]
      : []),
    ...(row < rows.length - 1
      ? [{ label: t('sizeCharts.down'), onClick: () => onChange({ ...values, rows: movedTo(rows, row, row + 1) }) }]
      : []),
    {
      label: t('sizeCharts.removeRow'),
      isDangerous: true,
      onClick: () => onChange({ ...values, rows: rows.toSpliced(row, 1) }),
    },
  ]

  return (
    <>
      <Table.ScrollContainer minWidth={0} mt="sm">
        <Table className={classes['grid']} aria-label={t('sizeCharts.table')} onPaste={paste} onKeyDown={press}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((name, column) => (
                <Table.Th key={column}>
                  <Group gap={2} wrap="nowrap">
                    <input
                      className={spreadsheet['cell']}
                      aria-label={t('sizeCharts.heading', { number: column + 1 })}
                      placeholder={column === 0 ? t('sizeCharts.sizeHint') : t('sizeCharts.measureHint')}
                      value={name}
                      onChange={({ currentTarget: { value } }) =>
                        onChange({ ...values, columns: columns.with(column, value) })
                      }
                      disabled={!canWrite}
                      maxLength={100}
                    />
                    {canWrite && (
                      <RowMenu
                        label={t('sizeCharts.columnMenu', { name: nameOf(column) })}
                        actions={columnActions(column)}
                      />
                    )}
                  </Group>
                </Table.Th>
              ))}
              {canWrite && <Table.Th aria-label={t('sizeCharts.rowActions')} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((cells, row) => (
              <Table.Tr key={row}>
                {cells.map((text, column) => (
                  <Table.Td key={column}>
                    <input
                      className={spreadsheet['cell']}
                      aria-label={t('sizeCharts.cell', { row: cells[0] || row + 1, column: nameOf(column) })}
                      aria-invalid={showsFaults && !isValid(text, column)}
                      inputMode={column === 0 ? 'text' : 'decimal'}
                      data-number={column > 0}
                      data-row={row}
                      data-column={column}
                      value={text}
                      onChange={({ currentTarget: { value } }) => setCell({ row, column }, value)}
                      disabled={!canWrite}
                      maxLength={100}
                    />
                  </Table.Td>
                ))}
                {canWrite && (
                  <Table.Td>
                    <RowMenu label={t('sizeCharts.rowMenu', { name: cells[0] || row + 1 })} actions={rowActions(row)} />
                  </Table.Td>
                )}
              </Table.Tr>
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
