import { nearestName } from '@storefront/http'
import type { ProductInput, ProductOption } from '@storefront/contracts'
import { SHOWN_ISSUES, type Issue } from '../errors.ts'
import { below } from './product.ts'
import { optionsOf } from './product-options.ts'

/** The limits of a merchant's options also apply to options that are made from variants. */
const MAX_OPTIONS = 10
const MAX_VALUES = 200
/** Names in one message: an option may have two hundred values. */
const SHOWN_NAMES = 20

/**
 * Finds variants with options that their product does not offer: an unknown option, or an unknown value.
 * @param path path of the product in the body; empty when it is the body
 * @param sentVariants whether the body contains the variants: otherwise issues are reported at the options
 * @returns the issues to show, and the number of all issues
 */
export function optionFaultsOf(
  product: Pick<ProductInput, 'options' | 'variants'>,
  { path, sentVariants = true, shown = SHOWN_ISSUES }: { path: string; sentVariants?: boolean; shown?: number },
): { issues: Issue[]; total: number } {
  const options = optionsOf(product)
  const tooMany = tooManyOf(options, below(path, 'options'))
  const wrong = wrongChoicesOf(product.variants, options)
  const issues = wrong.slice(0, shown).map((choice): Issue => {
    const message = messageOf(choice)
    if (sentVariants) return { path: below(path, `variants.${choice.variant}.options.${choice.option}`), message }
    const { sku = '' } = product.variants[choice.variant] ?? {}
    return { path: below(path, 'options'), message: `variant ${sku}: ${message}` }
  })
  return { issues: [...tooMany, ...issues], total: tooMany.length + wrong.length }
}

/** An option or value of a variant that its product does not offer. */
interface WrongChoice {
  /** Index of the variant among those of the product. */
  variant: number
  option: string
  value: string
  /** Names of the product's options, or the values of the option if it exists. */
  offered: readonly string[]
  optionExists: boolean
}

function wrongChoicesOf(
  variants: readonly { options: Readonly<Record<string, string>> }[],
  options: readonly ProductOption[],
): WrongChoice[] {
  // Older names and values may have surrounding white space, which is trimmed from new ones.
  const offered = new Map(options.map(({ name, values }) => [name.trim(), values.map((value) => value.trim())]))
  return variants.flatMap(({ options: chosen }, variant) =>
    Object.entries(chosen).flatMap(([option, value]): WrongChoice[] => {
      const values = offered.get(option.trim())
      if (values?.includes(value.trim())) return []
      return [{ variant, option, value, offered: values ?? [...offered.keys()], optionExists: values !== undefined }]
    }),
  )
}

/** Describes what is wrong with an option, what is allowed and what may have been meant. */
function messageOf({ option, value, offered, optionExists }: WrongChoice): string {
  return optionExists
    ? `"${value}" is not a value of the option "${option}", ${allowed(offered, 'value')}${suggestion(value, offered)}`
    : `"${option}" is not an option of this product, ${allowed(offered, 'option')}${suggestion(option, offered)}`
}

function allowed(names: readonly string[], noun: 'option' | 'value'): string {
  if (names.length === 0) return `which has no ${noun}s.`
  const shown = names.slice(0, SHOWN_NAMES).map((name) => `"${name}"`)
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  return `which has the ${noun}${names.length === 1 ? '' : 's'} ${shown.join(', ')}${more}.`
}

function suggestion(given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names)
  return nearest?.isLikely === true ? ` Did you mean "${nearest.name}"?` : ''
}

/** Options and values that exceed the limits, because a merchant could not send such a product back. */
function tooManyOf(options: readonly ProductOption[], path: string): Issue[] {
  if (options.length > MAX_OPTIONS) {
    return [{ path, message: `must not be more than ${MAX_OPTIONS}; the variants have ${options.length}` }]
  }
  return options
    .filter(({ values }) => values.length > MAX_VALUES)
    .map(({ name, values }) => ({
      path,
      message: `must not have more than ${MAX_VALUES} values each; the variants have ${values.length} of "${name}"`,
    }))
}
