import type { ImageInput, ProductPatch } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { sizesOfPictures } from '../media/picture-sizes.ts'
import { storedUrl } from './product-response.ts'

/** Adds missing sizes to the images of a change, if their pictures are stored here. */
export async function withImageSizes<Patch extends Pick<ProductPatch, 'images'>>(
  context: Pick<CatalogContext, 'db' | 'mediaDir' | 'publicUrl'>,
  patch: Patch,
): Promise<Patch> {
  const images = patch.images ?? []
  const pathOf = ({ url }: ImageInput) => storedUrl(url, context.publicUrl)
  const sizes = await sizesOfPictures(context, images.filter(isUnmeasured).map(pathOf))
  if (sizes.size === 0) return patch
  return {
    ...patch,
    images: images.map((image) => (isUnmeasured(image) ? { ...image, ...sizes.get(pathOf(image)) } : image)),
  }
}

function isUnmeasured({ width, height }: ImageInput): boolean {
  return typeof width !== 'number' || typeof height !== 'number'
}
