import type { ProductInput } from '@storefront/contracts'
import type { RawProduct } from '../products/raw-product.ts'
import { completedVariants } from './complete-variants.ts'

/**
 * Completes a product of a file with limited fields from the stored data, also within blocks.
 * @param keeps fields that the file does not contain
 */
export function completed(input: ProductInput, keeps: readonly string[], stored: RawProduct): ProductInput {
  const kept = Object.fromEntries(Object.entries(stored).filter(([name]) => keeps.includes(name)))
  const specs = { ...stored.enrichment?.specs, ...input.enrichment?.specs }
  const maker = makerOf(input.enrichment?.maker, stored.enrichment?.maker)
  const enrichment = {
    ...stored.enrichment,
    ...input.enrichment,
    ...(maker && { maker }),
    ...(Object.keys(specs).length > 0 && { specs }),
  }
  const images = keeps.includes('images') ? stored.images : input.images.map((image) => withColor(image, stored))
  return {
    ...completedVariants({ ...input, ...kept, images }, keeps, stored),
    ...(Object.keys(enrichment).length > 0 && { enrichment }),
  }
}

type Maker = NonNullable<ProductInput['enrichment']>['maker']

/** A file contains the name of a maker, but not the location. */
function makerOf(given: Maker, stored: Maker): Maker {
  return given && stored && given.name === stored.name && given.location === '' ? stored : (given ?? stored)
}

/** Merchants tag pictures with a color here, and a picture keeps its id from file to file. */
function withColor(image: ProductInput['images'][number], stored: RawProduct): ProductInput['images'][number] {
  const color = image.color ?? stored.images.find(({ id }) => id === image.id)?.color
  return { ...image, ...(color !== undefined && { color }) }
}
