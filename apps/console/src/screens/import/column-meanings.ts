import {
  columnNames,
  CSV_FIELDS,
  type CsvAttributes,
  type CsvChoices,
  type CsvColumns,
  type CsvTarget,
} from '@storefront/contracts/product-csv'

/** The field of a product that each column of a CSV fills, by the index of the column. */
type CsvTargets = ReadonlyMap<number, CsvTarget>

export function targetsOf({ places, metafields }: CsvColumns): CsvTargets {
  const targets = new Map<number, CsvTarget>()
  for (const [column, index] of places) targets.set(index, column)
  for (const { index, goesTo } of metafields) targets.set(index, goesTo === 'care' ? 'care' : `specs.${goesTo.spec}`)
  return targets
}

/** All fields that a merchant may choose for a column. */
export function allTargets(attributes: CsvAttributes): CsvTarget[] {
  return [
    ...CSV_FIELDS.map(([column]) => column),
    'care',
    ...attributes.map(({ key }): CsvTarget => `specs.${key}`).filter((target) => target !== 'specs.care-instructions'),
  ]
}

/**
 * Adds the choice for one column; none is stored if the name of the column already says the same.
 * @param own the field that follows from the name of the column
 * @param target the chosen field; undefined to leave the column out
 */
export function withChoice(
  choices: CsvChoices,
  name: string,
  own: CsvTarget | undefined,
  target: CsvTarget | undefined,
): CsvChoices {
  const next = new Map(choices)
  if (target === own) next.delete(name)
  else next.set(name, target ?? null)
  return next
}

/** Identifies files with the same columns in the same order, for which the same choices are remembered. */
export function headerKey(header: readonly string[]): string {
  return columnNames(header).join('\n')
}
