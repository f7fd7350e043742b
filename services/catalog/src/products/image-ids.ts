import type { ImageInput } from '@storefront/contracts'

type Identified = Pick<ImageInput, 'id' | 'url'>

/**
 * Gives each image the id that it was sent with, or else that of an image with the same address. Ids are unique,
 * because variants and galleries refer to them, and a picture may be shown twice, such as for two colors.
 * @returns the images, without an id if they need a new one
 */
export function withKnownIds<Sent extends Identified>(
  images: readonly Sent[],
  known: readonly Identified[],
): (Sent & { id: string | undefined })[] {
  const sent = new Set(images.map(({ id }) => id))
  const given = new Set<string | undefined>([undefined])
  return images.map((image) => {
    const former = known.filter(({ id, url }) => url === image.url && !sent.has(id))
    const id = [image.id, ...former.map((each) => each.id)].find((each) => !given.has(each))
    given.add(id)
    return { ...image, id }
  })
}
