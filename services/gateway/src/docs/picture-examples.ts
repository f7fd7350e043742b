import { thumbnailPath } from '@storefront/contracts'

type PictureExample = { summary: string } & ({ externalValue: string } | { value: string })

/** Where pictures come from that the demo shop has none of, by their content type. */
const ELSEWHERE: Record<string, string> = {
  'image/webp': 'A picture that was uploaded. The demo shop has none.',
  'image/png': 'A file that was put into the media folder. The demo shop has none.',
}

/**
 * The example of a reply that is a picture. Its bytes do not fit into JSON: it names the address of a picture of the demo shop,
 * relative to the document, which lies beside the pictures under every base path.
 * @param type content type of the reply, such as `image/jpeg`
 * @param picture path of an SVG of the demo shop, below `/media/`
 * @returns the examples by their names
 */
export function pictureExamples(type: string, picture: string): Record<string, PictureExample> {
  if (type === 'image/svg+xml') {
    return { picture: { summary: 'A picture of a product in the demo shop.', externalValue: `media/${picture}` } }
  }
  if (type === 'image/jpeg') {
    const externalValue = `media/${thumbnailPath(picture)}`
    return { thumbnail: { summary: 'The thumbnail of a picture in the demo shop.', externalValue } }
  }
  return { picture: { summary: ELSEWHERE[type] ?? 'The demo shop has none.', value: `(the bytes of ${type})` } }
}
