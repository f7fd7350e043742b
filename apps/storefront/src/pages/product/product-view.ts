import type { Product } from '../../shop/catalog.ts'
import { chosenVariant, type Selection } from './choice.ts'
import { choicesOf, firstSelection, optionsOf, type ProductChoice, type ProductOption } from './product-options.ts'

export interface ProductView {
  product: Product
  options: readonly ProductOption[]
  choices: readonly ProductChoice[]
  selection: Selection
  chosen: ProductChoice | undefined
  /** The pictures, those of the chosen color first. */
  images: Product['images']
  /** The chosen color, if there are pictures of it: then a script shows no others. */
  shownColor: string | undefined
  /** Address of the page, without a choice. */
  address: string
}

export function productView(product: Product, variantId: string | null): ProductView {
  const options = optionsOf(product)
  const choices = choicesOf(product, options)
  const selection = firstSelection(options, choices, variantId)
  const chosen = chosenVariant(choices, selection)
  const color = selection[options.findIndex(({ isColor }) => isColor)]
  return {
    product,
    options,
    choices,
    selection,
    chosen,
    images: imagesFor(product, color, chosen?.variant.imageId),
    shownColor: product.images.some((image) => image.color === color) ? color : undefined,
    address: productAddress(product.slug),
  }
}

export function productAddress(slug: string): string {
  return `/product/${encodeURIComponent(slug)}`
}

function imagesFor({ images }: Product, color: string | undefined, imageId: string | undefined): Product['images'] {
  const hasColor = images.some((image) => image.color === color)
  const rank = (image: Product['images'][number]): number => {
    if (!hasColor) return image.id === imageId ? 0 : 1
    if (image.color === color) return 0
    return image.color === undefined ? 1 : 2
  }
  return images.toSorted((a, b) => rank(a) - rank(b))
}
