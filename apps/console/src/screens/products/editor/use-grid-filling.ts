import { useMemo, useState, type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeUndo } from '../../../parts/notices.ts'
import { cellsOf } from '../../../parts/spreadsheet.ts'
import { checkVariants } from './check-form.ts'
import { useEditor } from './editor-context.ts'
import { cellsBeyond, filledFrom, type GridColumn } from './grid-cells.ts'
import { placeOf } from './grid-keys.ts'
import type { VariantRow } from './product-form.ts'

/** Fills many cells of the grid at once, which can be undone, and finds the mistakes to show in it. */
export function useGridFilling(columns: readonly GridColumn[]) {
  const { t } = useTranslation()
  const { form, change, errors, currency } = useEditor()
  const { variants } = form
  // Mistakes are shown from the first save on, but at once in what was pasted: it was not typed here.
  const [isPasted, setIsPasted] = useState(false)
  const issues = useMemo(
    () => (isPasted ? { ...errors, ...checkVariants(variants, currency, t) } : errors),
    [isPasted, errors, variants, currency, t],
  )

  function fill(filled: VariantRow[], beyond = 0): void {
    change(() => ({ variants: filled }))
    const count = filled.filter((row, index) => row !== variants[index]).length
    const faults = Object.keys(checkVariants(filled, currency, t)).length
    const before = new Map(filled.map((row, index) => [row, variants[index] ?? row]))
    // What was typed since stays.
    const undo = async () => change((now) => ({ variants: now.variants.map((row) => before.get(row) ?? row) }))
    const message = [
      t('products.grid.filled', { count }),
      ...(faults > 0 ? [t('products.grid.faults', { count: faults })] : []),
      ...(beyond > 0 ? [t('products.grid.beyond', { count: beyond })] : []),
    ].join('. ')
    noticeUndo(message, undo)
  }

  function paste(event: ClipboardEvent): void {
    const at = placeOf(event.target)
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (!at || !cells) return
    event.preventDefault()
    const block = { ...at, cells, columns }
    setIsPasted(true)
    fill(filledFrom(variants, block), cellsBeyond(variants.length, block))
  }

  return { issues, fill, paste }
}
