import type { Product, Variant } from '../../shop/catalog.ts'
import { chosenVariant, type Choosable, type Selection } from './choice.ts'

export interface ProductOption {
  name: string
  isColor: boolean
  isSize: boolean
  values: readonly string[]
}

/** A variant with the values of the options in the order of the page. */
export interface ProductChoice extends Choosable {
  variant: Variant
}

/** Fields of the form that chooses a variant: `option.Size`. */
export const OPTION_FIELD = 'option.'

/** @returns the options, the color first: what is sold out depends on it */
export function optionsOf(product: Product): ProductOption[] {
  const options = product.options.map(({ name, values }) => ({
    name,
    values,
    isColor: /^colou?r$/i.test(name),
    isSize: /^size$/i.test(name),
  }))
  return options.toSorted((a, b) => Number(b.isColor) - Number(a.isColor))
}

export function choicesOf(product: Product, options: readonly ProductOption[]): ProductChoice[] {
  return product.variants.map((variant) => ({
    variant,
    available: variant.available,
    values: options.map(({ name }) => variant.options[name] ?? ''),
  }))
}

/**
 * What is chosen when the page opens: a variant of the address; otherwise what leaves no choice, and the color of the
 * first variant that can be bought. A size is for the shopper to choose.
 */
export function firstSelection(
  options: readonly ProductOption[],
  choices: readonly ProductChoice[],
  variantId: string | null,
): Selection {
  const linked = choices.find(({ variant }) => variant.id === variantId)
  if (linked) return linked.values
  const first = choices.find(({ available }) => available) ?? choices[0]
  return options.map(({ isColor, values }, index) => {
    if (values.length === 1) return values[0]
    return isColor ? first?.values[index] : undefined
  })
}

/** @param form of the page of a product @returns the variant that its options choose */
export function variantOfForm(product: Product, form: URLSearchParams): Variant | undefined {
  const options = optionsOf(product)
  const selection = options.map(({ name }) => form.get(`${OPTION_FIELD}${name}`) ?? undefined)
  return chosenVariant(choicesOf(product, options), selection)?.variant
}
