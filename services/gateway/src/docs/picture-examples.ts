import { thumbnailPath } from '@storefront/contracts'

type PictureExample = { summary: string } & ({ externalValue: string } | { value: string })

/** Descriptions of images that the demo shop lacks, by content type. */
const ELSEWHERE: Record<string, string> = {
  'image/webp': 'An uploaded image. The demo shop has none.',
  'image/png': 'A file from the media folder. The demo shop has none.',
}

/**
 * The example of an image response. Its bytes do not fit into JSON, so it is the URL of an image of the demo shop,
 * relative to the document because of the base path.
 * @param type content type of the response, such as `image/jpeg`
 * @param picture path of an SVG of the demo shop, below `/media/`
 * @returns the examples by their names
 */
export function pictureExamples(type: string, picture: string): Record<string, PictureExample> {
  if (type === 'image/svg+xml') {
    return { picture: { summary: 'An image of a product in the demo shop.', externalValue: `media/${picture}` } }
  }
  if (type === 'image/jpeg') {
    const externalValue = `media/${thumbnailPath(picture)}`
    return { thumbnail: { summary: 'The thumbnail of an image in the demo shop.', externalValue } }
  }
  return { picture: { summary: ELSEWHERE[type] ?? 'The demo shop has none.', value: `(the bytes of ${type})` } }
}
