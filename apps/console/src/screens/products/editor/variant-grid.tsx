import { Button, Checkbox, Group, Table, Text } from '@mantine/core'
import { memo, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AllVariantsRow } from './all-variants-row.tsx'
import { useEditor } from './editor-context.ts'
import { filledColumn, GRID_COLUMNS, type GridColumn } from './grid-cells.ts'
import { moveByKey } from './grid-keys.ts'
import type { Issues } from './issues.ts'
import type { ImageRow, OptionRow, VariantRow } from './product-form.ts'
import { suggestedSlug } from './suggestions.ts'
import { useGridFilling } from './use-grid-filling.ts'
import type { Change } from './use-product-form.ts'
import classes from './variant-grid.module.css'
import { VariantGridRow } from './variant-grid-row.tsx'
import { choiceKey, completedRows, missingCombinations } from './variant-rows.ts'

/** Those that most products need. */
const FIRST_COLUMNS = GRID_COLUMNS.filter((column) => column !== 'compareAtPrice')

/** All variants in a table that is filled like a spreadsheet. */
export function VariantGrid(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  const { variants, options } = form
  const [showsMore, setShowsMore] = useState(() => variants.some((row) => `${row.compareAtPrice}${row.imageId}` !== ''))
  const columns = showsMore ? GRID_COLUMNS : FIRST_COLUMNS
  const { issues, fill, paste } = useGridFilling(columns)

  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text c="dimmed">{t('products.grid.hint')}</Text>
        <Checkbox
          size="xs"
          label={t('products.grid.more')}
          checked={showsMore}
          onChange={(event) => setShowsMore(event.currentTarget.checked)}
        />
      </Group>
      <Table.ScrollContainer minWidth={showsMore ? 760 : 560}>
        <Table
          className={classes['grid']}
          aria-label={t('products.section.variants')}
          onPaste={paste}
          onKeyDown={(event) => moveByKey(event, columns)}
        >
          <GridHead columns={columns} showsMore={showsMore} />
          <Table.Tbody>
            {variants.length > 1 && (
              <AllVariantsRow
                columns={columns}
                showsMore={showsMore}
                onFill={(column, value) => fill(filledColumn(form, column, value))}
              />
            )}
            <GridRows
              variants={variants}
              options={options}
              columns={columns}
              images={showsMore ? form.images : undefined}
              productPrice={form.price}
              slug={form.slug ?? suggestedSlug(form.title)}
              errors={issues}
              change={change}
            />
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <MissingCombinations />
    </div>
  )
}

interface GridRowsProps {
  variants: readonly VariantRow[]
  options: readonly OptionRow[]
  columns: readonly GridColumn[]
  images: readonly ImageRow[] | undefined
  productPrice: string
  slug: string
  errors: Issues
  change: Change
}

/** Not rendered again while other fields are typed in: a product may have a thousand variants. */
const GridRows = memo(({ variants, errors, change, ...shared }: GridRowsProps): ReactNode => {
  const errorsOfRow = useMemo(() => errorsByRow(errors), [errors])
  const changeCell = useCallback(
    (key: string, fields: Partial<VariantRow>) =>
      change((now) => ({ variants: now.variants.map((row) => (row.key === key ? { ...row, ...fields } : row)) })),
    [change],
  )
  const remove = useCallback(
    (key: string) => change((now) => ({ variants: now.variants.filter((row) => row.key !== key) })),
    [change],
  )

  return variants.map((row, index) => (
    <VariantGridRow
      key={choiceKey(row.options)}
      row={row}
      index={index}
      errors={errorsOfRow.get(index)}
      canRemove={variants.length > 1}
      onChange={changeCell}
      onRemove={remove}
      {...shared}
    />
  ))
})

function GridHead({ columns, showsMore }: { columns: readonly GridColumn[]; showsMore: boolean }): ReactNode {
  const { t } = useTranslation()
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('products.grid.variant')}</Table.Th>
        {columns.map((column) => (
          <Table.Th key={column}>{t(`products.grid.${column}`)}</Table.Th>
        ))}
        {showsMore && <Table.Th>{t('products.grid.picture')}</Table.Th>}
        <Table.Th aria-label={t('products.grid.remove')} />
      </Table.Tr>
    </Table.Thead>
  )
}

/** Combinations that are not offered, such as those of variants that were removed. */
function MissingCombinations(): ReactNode {
  const { t } = useTranslation()
  const { form, before, change } = useEditor()
  const { variants, options } = form
  const count = useMemo(() => missingCombinations(variants, options).length, [variants, options])
  if (count === 0) return null
  return (
    <Group gap="xs" mt="xs">
      <Text>{t('products.grid.missing', { count })}</Text>
      <Button
        size="compact-sm"
        variant="light"
        onClick={() => change((now) => ({ variants: completedRows(now.variants, now.options, before.variants) }))}
      >
        {t('products.grid.addMissing')}
      </Button>
    </Group>
  )
}

/** The issues by the index of their row and the name of their field. */
function errorsByRow(errors: Issues): ReadonlyMap<number, Issues> {
  const byRow = new Map<number, Record<string, string>>()
  for (const [path, message] of Object.entries(errors)) {
    const [, index, field] = /^variants\.(\d+)\.(\w+)/.exec(path) ?? []
    if (index === undefined || field === undefined) continue
    byRow.set(Number(index), { ...byRow.get(Number(index)), [field]: message })
  }
  return byRow
}
