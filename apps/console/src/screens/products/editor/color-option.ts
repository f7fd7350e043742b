import type { OptionRow, ProductForm, VariantRow } from './product-form.ts'
import { renamedRows, usableOptions } from './variant-rows.ts'

/** Whether the shop takes the values of an option for colors, as filters and pictures do. */
export function isColorOption(name: string): boolean {
  return /^colou?r$/i.test(name.trim())
}

/** The colors that shoppers can choose. */
export function colorsOf({ options }: Pick<ProductForm, 'options'>): readonly string[] {
  return options.find(({ name }) => isColorOption(name))?.values ?? []
}

/**
 * Gives a value of an option another name; variants, swatches and pictures follow.
 * @param given.saved the variants that the product has in the shop
 */
export function renamedValue(
  { options, variants, swatches, images }: ProductForm,
  option: OptionRow,
  { value, renamed, saved }: { value: string; renamed: string; saved: readonly VariantRow[] },
): Partial<ProductForm> {
  const { name } = usableOptions(options).find(({ key }) => key === option.key) ?? option
  const next = {
    options: options.map((each) =>
      each.key === option.key ? { ...each, values: each.values.map((one) => (one === value ? renamed : one)) } : each,
    ),
    variants: renamedRows(variants, { option: name, value, renamed, saved }),
  }
  if (!isColorOption(option.name)) return next
  return {
    ...next,
    swatches: Object.fromEntries(
      Object.entries(swatches).map(([color, hex]) => [color === value ? renamed : color, hex]),
    ),
    images: images.map((image) => (image.color === value ? { ...image, color: renamed } : image)),
  }
}
