import { Table } from '@mantine/core'
import { Cross2Icon } from '@radix-ui/react-icons'
import { memo, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FIELD_OF, type GridColumn } from './grid-cells.ts'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import type { Issues } from './issues.ts'
import type { ImageRow, OptionRow, VariantRow } from './product-form.ts'
import { suggestedSku } from './suggestions.ts'
import spreadsheet from '../../../parts/spreadsheet.module.css'
import classes from './variant-grid.module.css'
import { choiceLabel } from './variant-rows.ts'

interface VariantGridRowProps {
  row: VariantRow
  index: number
  options: readonly OptionRow[]
  columns: readonly GridColumn[]
  /** To choose from; undefined while that column is not shown. */
  images: readonly ImageRow[] | undefined
  productPrice: string
  slug: string
  /** By the names of their fields in a request. */
  errors: Issues | undefined
  canRemove: boolean
  onChange: (key: string, fields: Partial<VariantRow>) => void
  onRemove: (key: string) => void
}

/** One variant. Rendered again only when it changes: a product may have hundreds. */
export const VariantGridRow = memo(GridRow)

function GridRow(props: VariantGridRowProps): ReactNode {
  const { row, index, options, columns, images, productPrice, slug, errors: issues = {}, canRemove } = props
  const { onChange, onRemove } = props
  const { t } = useTranslation()
  const label = choiceLabel(row.options, options)
  const placeholders: Partial<Record<GridColumn, string>> = {
    price: productPrice,
    stock: row.id === undefined ? '0' : '',
    sku: row.id === undefined ? suggestedSku(slug, row.options) : '',
  }
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes['label']}>
        {label}
        {issues['options'] !== undefined && <div className={classes['error']}>{issues['options']}</div>}
      </Table.Th>
      {columns.map((column) => (
        <Table.Td key={column}>
          <Cell
            row={index}
            column={column}
            label={`${label}, ${t(`products.grid.${column}`)}`}
            value={row[column]}
            placeholder={placeholders[column]}
            error={issues[FIELD_OF[column]]}
            onChange={(value) => onChange(row.key, { [column]: value })}
          />
        </Table.Td>
      ))}
      {images && (
        <Table.Td>
          <select
            className={spreadsheet['cell']}
            aria-label={`${label}, ${t('products.grid.picture')}`}
            value={row.imageId}
            onChange={(event) => onChange(row.key, { imageId: event.currentTarget.value })}
          >
            <option value="">{t('products.grid.firstPicture')}</option>
            {images.map(({ id, alt }, place) => (
              <option key={id} value={id}>{`${place + 1}. ${alt}`}</option>
            ))}
          </select>
        </Table.Td>
      )}
      <Table.Td w={30}>
        {canRemove && (
          <RemoveButton
            icon={Cross2Icon}
            label={t('products.grid.removeOne', { label })}
            onClick={() => onRemove(row.key)}
            size="sm"
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}

interface CellProps {
  row: number
  column: GridColumn
  label: string
  value: string
  placeholder: string | undefined
  error: string | undefined
  onChange: (value: string) => void
}

const INPUT_MODES = { price: 'decimal', compareAtPrice: 'decimal', stock: 'numeric', sku: 'text' } as const

/** A plain field: hundreds of them must stay quick. */
function Cell({ row, column, label, value, placeholder, error, onChange }: CellProps): ReactNode {
  const errorId = useId()
  return (
    <>
      <input
        className={spreadsheet['cell']}
        data-row={row}
        data-column={column}
        data-number={column !== 'sku'}
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        inputMode={INPUT_MODES[column]}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {error !== undefined && (
        <div id={errorId} className={classes['error']}>
          {error}
        </div>
      )}
    </>
  )
}
