import type { ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { describeStock, type Issue } from '../errors.ts'
import { matchVariants } from '../products/match-variants.ts'
import { optionFaultsOf } from '../products/option-faults.ts'
import { faultsOf } from '../products/product.ts'
import { findVariantsWithStock, type VariantWithStock } from '../products/variants.queries.ts'
import { append } from './import-effects.ts'
import { addIssues, roomIn, type Checking } from './issue-list.ts'
import { rowsInChunks, type StagedRow } from './staging.queries.ts'

/** Products in memory at once. */
export const PRODUCTS_AT_ONCE = 500

export async function checkProducts(tx: Tx, checking: Checking): Promise<void> {
  const { job, currency, issues, checked, productRows } = checking
  let count = 0
  for await (const rows of rowsInChunks<ProductInput>(tx, job, 'product', PRODUCTS_AT_ONCE)) {
    for (const row of rows) {
      const faults = faultsOf(row.data, currency, row.path).map((issue) => namedInFile(issue, row))
      addIssues(issues, faults)
    }
    await addVariantFaults(tx, rows, checking)
    count += rows.length
    if (count < PRODUCTS_AT_ONCE) append(productRows, rows)
    await checked(count)
  }
}

/** An error under the name that its field has in the file. */
function namedInFile(issue: Issue, { path, cells }: Pick<StagedRow<unknown>, 'path' | 'cells'>): Issue {
  return { ...issue, path: cells?.[issue.path.slice(path.length + 1)] ?? issue.path }
}

/**
 * Adds the errors of variants: options that their product does not offer, and, in a merging import, stored variants
 * with stock that are left out (docs/decisions/0047). The save checks that again under its locks.
 */
async function addVariantFaults(
  tx: Tx,
  rows: readonly StagedRow<ProductInput>[],
  { job, issues }: Checking,
): Promise<void> {
  const ids = rows.flatMap(({ storedId }) => storedId ?? [])
  const stored = Map.groupBy(ids.length === 0 ? [] : await findVariantsWithStock(tx, ids), (each) => each.productId)
  for (const row of rows) {
    const { data, path, storedId } = row
    const known = stored.get(storedId ?? '') ?? []
    const sentVariants = data.variants.length > 0
    const variants = sentVariants ? data.variants : known
    // If neither variants nor options are sent, the stored ones do not change.
    if (sentVariants || data.options?.length) {
      const faults = optionFaultsOf({ ...data, variants }, { path, sentVariants, shown: roomIn(issues) })
      addIssues(issues, faults.issues, faults.total)
    }
    if (job.mode === 'merge' && sentVariants) addIssues(issues, missingVariantFaults(data, known, path))
    addIssues(issues, unknownSkuFaults(row, known))
  }
}

/** In a file without columns for options, the variants whose options are not in the shop either. */
function unknownSkuFaults(row: StagedRow<ProductInput>, known: readonly VariantWithStock[]): Issue[] {
  const { data, path, keeps } = row
  if (!keeps.includes('variants.options') || data.variants.length < 2) return []
  const skus = new Set(known.map(({ sku }) => sku))
  const message = 'must be a SKU that this product has in the shop: the file has no columns for options'
  return data.variants.flatMap(({ sku = '' }, index) =>
    skus.has(sku) ? [] : [namedInFile({ path: `${path}.variants.${index}.sku`, message }, row)],
  )
}

function missingVariantFaults({ variants }: ProductInput, known: readonly VariantWithStock[], path: string): Issue[] {
  const kept = new Set(matchVariants(variants, known))
  return known
    .filter((each) => !kept.has(each) && (each.onHand > 0 || each.reserved > 0))
    .map((each) => ({
      path: `${path}.variants`,
      message: `leaves out the variant ${describeStock(each)}. Add it, or set its stock to 0 first.`,
    }))
}
