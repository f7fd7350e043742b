import { isSame } from '../../../parts/is-same.ts'
import { rebasedFields } from '../../../parts/rebased-fields.ts'
import { emptyVariant, type ProductForm, type VariantRow } from './product-form.ts'
import { choiceKey } from './variant-rows.ts'

/**
 * Puts a person's changes on top of a newer version of the product.
 * @param mine what the person has typed
 * @param base what they began with
 * @param theirs the newer version
 */
export function rebased(mine: ProductForm, base: ProductForm, theirs: ProductForm): ProductForm {
  const form = rebasedFields(mine, base, theirs)
  return isSame(mine.variants, base.variants) ? form : { ...form, variants: rebasedVariants(mine, base, theirs) }
}

/** Cell by cell: two people may fill different columns. Variants that others added are added here, too. */
function rebasedVariants(mine: ProductForm, base: ProductForm, theirs: ProductForm): VariantRow[] {
  const began = new Map(base.variants.map((row) => [row.key, row]))
  const known = new Set(base.variants.map(({ id }) => id))
  const newer = new Map(theirs.variants.map((row) => [row.id, row]))
  const added = theirs.variants.filter(({ id }) => !known.has(id))
  const addedByChoice = new Map(added.map((row) => [choiceKey(row.options), row]))

  const rows = mine.variants.flatMap((row): VariantRow[] => {
    const after = row.id === undefined ? addedByChoice.get(choiceKey(row.options)) : newer.get(row.id)
    const before = began.get(row.key) ?? (row.id === undefined ? emptyVariant(row.options) : undefined)
    if (!before) return [row]
    if (after) return [rebasedRow(row, before, after)]
    // Others removed the variant: it stays removed, unless this person has changed it. It is then a new one.
    return row.id !== undefined && isSame(row, before) ? [] : [{ ...row, id: undefined }]
  })
  const taken = new Set(rows.map(({ id }) => id))
  return [...rows, ...added.filter(({ id }) => !taken.has(id))]
}

function rebasedRow(row: VariantRow, before: VariantRow, after: VariantRow): VariantRow {
  return { ...rebasedFields(row, before, after), key: row.key, id: after.id }
}
