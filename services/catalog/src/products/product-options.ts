import type { ProductInput, ProductOption } from '@storefront/contracts'

/** Option names whose values fill the size and color filters. */
export function roleOfOption(name: string): 'size' | 'color' | undefined {
  const lower = name.trim().toLowerCase()
  if (lower === 'size') return 'size'
  return lower === 'color' || lower === 'colour' ? 'color' : undefined
}

/** The value of the first option with this role. */
export function optionWithRole(options: Record<string, string>, role: 'size' | 'color'): string | undefined {
  return Object.entries(options).find(([name]) => roleOfOption(name) === role)?.[1]
}

/**
 * The options of a product: the given ones, or else those made from its variants, each with its values in the order in
 * which they occur. Unchanged variants keep their options.
 */
export function optionsOf(
  { options, variants }: Pick<ProductInput, 'options' | 'variants'>,
  known: readonly ProductOption[] = [],
): ProductOption[] {
  if (options && options.length + variants.length > 0) return options
  if (variants.length === 0) return [...known]
  const values = new Map<string, Set<string>>()
  for (const { options: chosen } of variants) {
    for (const [name, value] of Object.entries(chosen)) values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  return [...values].map(([name, set]) => ({ name, values: [...set] }))
}

export const namesOf = (options: readonly ProductOption[]): string[] => options.map(({ name }) => name)
