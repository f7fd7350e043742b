import { inParallel } from '../../parts/in-parallel.ts'
import { shop } from '../../shop.ts'
import { readMedia, type MediaWithUses, type Uses } from '../../parts/media-queries.ts'

const AT_ONCE = 3

/** What a record stores of a picture: the path, which contains the id, and the size. */
interface StoredPicture {
  id: string
  path: string
  width: number
  height: number
}

/** A record that shows a picture and may show another one instead. */
export interface Use {
  kind: Uses['places'][number]['kind'] | 'product'
  id: string
}

const REPLACEABLE = new Set(['category', 'collection'])

/** In how many records a picture can be replaced. In the configuration and the library it has to be changed there. */
export function countReplaceable({ productCount, places }: Uses): number {
  return productCount + places.filter(({ kind }) => REPLACEABLE.has(kind)).length
}

/** Shows another picture wherever this one is. @returns the records that were changed */
export async function replaceEverywhere(
  media: MediaWithUses,
  to: StoredPicture,
  onProgress: (done: number) => void,
): Promise<Use[]> {
  const all: Use[] = []
  // One response names only some of the products.
  for (let { uses } = media; ; uses = (await readMedia(media.id)).uses) {
    const known = new Set(all.map(({ id }) => id))
    const next = recordsIn(uses).filter(({ id }) => !known.has(id))
    if (next.length === 0) return all
    const before = all.length
    await replaceIn(next, media, to, (done) => onProgress(before + done))
    all.push(...next)
  }
}

function recordsIn({ products, places }: Uses): Use[] {
  return [
    ...products.map(({ id }): Use => ({ kind: 'product', id })),
    ...places.filter(({ kind }) => REPLACEABLE.has(kind)),
  ]
}

/** Shows another picture in these records. @param onProgress called with the number of records that are done */
export async function replaceIn(
  uses: readonly Use[],
  from: StoredPicture,
  to: StoredPicture,
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0
  await inParallel(uses, AT_ONCE, async ({ kind, id }) => {
    if (kind === 'product') await replaceInProduct(id, from, to)
    else if (kind === 'category') await replaceInCategory(id, from, to)
    else await replaceInCollection(id, from, to)
    done += 1
    onProgress(done)
  })
}

async function replaceInProduct(id: string, from: StoredPicture, to: StoredPicture): Promise<void> {
  const params = { path: { id } }
  const { data, response } = await shop.http.GET('/admin/products/{id}', { params })
  const images = data?.images ?? []
  if (!images.some(({ url }) => url.includes(from.id))) return
  await shop.patch('/admin/products/{id}', {
    params: { ...params, header: { 'if-match': response.headers.get('etag') ?? '' } },
    body: {
      images: images.map(({ id: imageId, url, alt, width, height, color = null }) => ({
        id: imageId,
        alt,
        color,
        ...(url.includes(from.id) ? { url: to.path, width: to.width, height: to.height } : { url, width, height }),
      })),
    },
  })
}

async function replaceInCategory(slug: string, from: StoredPicture, to: StoredPicture): Promise<void> {
  const { items } = await shop.get('/admin/categories')
  const image = items.find((each) => each.slug === slug)?.image
  if (image?.url.includes(from.id) !== true) return
  await shop.post('/admin/categories', { body: { slug, image: { url: to.path, alt: image.alt } } })
}

async function replaceInCollection(slug: string, from: StoredPicture, to: StoredPicture): Promise<void> {
  const { image } = await shop.get('/admin/collections/{slug}', { params: { path: { slug } } })
  if (image?.url.includes(from.id) !== true) return
  await shop.post('/admin/collections', { body: { slug, image: { url: to.path, alt: image.alt } } })
}
