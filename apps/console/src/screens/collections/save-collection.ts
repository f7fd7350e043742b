import { t } from 'i18next'
import { AlreadyExists, exists } from '../../parts/already-exists.ts'
import { ifMatch } from '../../parts/edit-conflict.ts'
import { isSame } from '../../parts/is-same.ts'
import { noticeDone, noticeUndo } from '../../parts/notices.ts'
import type { PictureValue } from '../../parts/picture-field.tsx'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { collectionQuery, COLLECTIONS, type Collection } from './collections-queries.ts'

export interface CollectionValues {
  title: string
  slug: string
  blurb: string
  image: PictureValue | null
  /** Slugs in their order. */
  products: readonly string[]
  /** Of what was read; empty for a new one. */
  etag: string
}

export const NEW_COLLECTION: CollectionValues = { title: '', slug: '', blurb: '', image: null, products: [], etag: '' }

export function valuesOf({ title, slug, blurb, image, products, etag }: Collection): CollectionValues {
  return { title, slug, blurb, image: image && { url: image.url, alt: image.alt }, products, etag }
}

/** @throws AlreadyExists when there is a collection with this slug */
export async function createCollection(values: CollectionValues): Promise<void> {
  const reading = queryClient.fetchQuery({ ...collectionQuery(values.slug), staleTime: 0 })
  if (await exists(reading)) throw new AlreadyExists(t('collections.fault.taken'))
  await shop.post('/admin/collections', { body: bodyOf(values) })
  await refreshCollections()
  noticeDone(t('collections.created', { title: values.title }))
}

/** Saves what was changed, with a notice to undo it. */
export async function changeCollection(before: CollectionValues, after: CollectionValues): Promise<CollectionValues> {
  const saved = await saveChange(before, after)
  const undone = t('collections.restored', { title: before.title })
  noticeUndo(t('collections.saved', { title: after.title }), () => saveChange(saved, before), undone)
  return saved
}

async function saveChange(before: CollectionValues, after: CollectionValues): Promise<CollectionValues> {
  const { slug, title, blurb, image, products } = after
  const { response } = await shop.http.POST('/admin/collections', {
    params: ifMatch(before.etag),
    body: {
      slug,
      ...(title !== before.title && { title }),
      ...(blurb !== before.blurb && { blurb }),
      ...(!isSame(image, before.image) && { image }),
      ...(!isSame(products, before.products) && { products: [...products] }),
    },
  })
  await refreshCollections()
  return { ...after, etag: response.headers.get('etag') ?? '' }
}

export function bodyOf({ title, slug, blurb, image, products }: CollectionValues) {
  return { title, slug, blurb, image, products: [...products] }
}

export async function refreshCollections(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: COLLECTIONS })
}
