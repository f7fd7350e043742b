import { t } from 'i18next'
import type { RowAction } from '../../parts/row-menu.tsx'
import { movedTo } from '../../parts/use-drag-order.ts'
import type { SizeChartValues } from './size-chart-values.ts'

/** What the menu of a column offers. The sizes stay in the first one. */
export function columnActions(
  values: SizeChartValues,
  column: number,
  onChange: (values: SizeChartValues) => void,
): RowAction[] {
  const { columns, rows } = values
  if (column === 0) return []
  const moveTo = (to: number) => () =>
    onChange({ ...values, columns: movedTo(columns, column, to), rows: rows.map((row) => movedTo(row, column, to)) })
  const remove = (): void =>
    onChange({ ...values, columns: columns.toSpliced(column, 1), rows: rows.map((row) => row.toSpliced(column, 1)) })
  return [
    ...(column > 1 ? [{ label: t('sizeCharts.left'), onClick: moveTo(column - 1) }] : []),
    ...(column < columns.length - 1 ? [{ label: t('sizeCharts.right'), onClick: moveTo(column + 1) }] : []),
    { label: t('sizeCharts.removeColumn'), isDangerous: true, onClick: remove },
  ]
}

/** What the menu of a row offers. */
export function rowActions(
  values: SizeChartValues,
  row: number,
  onChange: (values: SizeChartValues) => void,
): RowAction[] {
  const { rows } = values
  const moveTo = (to: number) => () => onChange({ ...values, rows: movedTo(rows, row, to) })
  const remove = (): void => onChange({ ...values, rows: rows.toSpliced(row, 1) })
  return [
    ...(row > 0 ? [{ label: t('sizeCharts.up'), onClick: moveTo(row - 1) }] : []),
    ...(row < rows.length - 1 ? [{ label: t('sizeCharts.down'), onClick: moveTo(row + 1) }] : []),
    { label: t('sizeCharts.removeRow'), isDangerous: true, onClick: remove },
  ]
}
