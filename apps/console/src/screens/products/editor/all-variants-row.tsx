import { Table } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GridColumn } from './grid-cells.ts'
import spreadsheet from '../../../parts/spreadsheet.module.css'
import classes from './variant-grid.module.css'

interface AllVariantsRowProps {
  columns: readonly GridColumn[]
  showsMore: boolean
  onFill: (column: GridColumn, value: string) => void
}

/** What is typed here is set for all variants. */
export function AllVariantsRow({ columns, showsMore, onFill }: AllVariantsRowProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Table.Tr className={classes['all']}>
      <Table.Th scope="row" className={classes['label']}>
        {t('products.grid.all')}
      </Table.Th>
      {columns.map((column) => (
        <Table.Td key={column}>
          {column !== 'sku' && (
            <AllCell
              label={t('products.grid.setAll', { column: t(`products.grid.${column}`) })}
              onFill={(value) => onFill(column, value)}
            />
          )}
        </Table.Td>
      ))}
      {showsMore && <Table.Td />}
      <Table.Td />
    </Table.Tr>
  )
}

function AllCell({ label, onFill }: { label: string; onFill: (value: string) => void }): ReactNode {
  const [text, setText] = useState('')

  function fill(): void {
    if (text.trim() === '') return
    onFill(text.trim())
    setText('')
  }

  return (
    <input
      className={spreadsheet['cell']}
      data-number
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={fill}
      onKeyDown={(event) => event.key === 'Enter' && fill()}
    />
  )
}
