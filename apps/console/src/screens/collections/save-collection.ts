import { StorefrontError } from '@storefront/client'
import { t } from 'i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
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
}

export const NEW_COLLECTION: CollectionValues = { title: '', slug: '', blurb: '', image: null, products: [] }

export function valuesOf({ title, slug, blurb, image, products }: Collection): CollectionValues {
  return { title, slug, blurb, image: image && { url: image.url, alt: image.alt }, products }
}

/** The shop would change the other collection. */
export class SlugTaken extends Error {
  override readonly name = 'SlugTaken'
}

/** @throws SlugTaken when there is a collection with this slug */
export async function createCollection(values: CollectionValues): Promise<void> {
  if (await exists(values.slug)) throw new SlugTaken(t('collections.fault.taken'))
  await shop.post('/admin/collections', { body: { ...values, products: [...values.products] } })
  await refreshCollections()
  noticeDone(t('collections.created', { title: values.title }))
}

/** Saves what was changed, with a notice that takes it back. */
export async function changeCollection(before: CollectionValues, after: CollectionValues): Promise<void> {
  await saveChange(before, after)
  noticeUndo(t('collections.saved', { title: after.title }), async () => {
    await saveChange(after, before)
    noticeDone(t('collections.restored', { title: before.title }))
  })
}

async function saveChange(before: CollectionValues, after: CollectionValues): Promise<void> {
  const { slug, title, blurb, image, products } = after
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  await shop.post('/admin/collections', {
    body: {
      slug,
      ...(title !== before.title && { title }),
      ...(blurb !== before.blurb && { blurb }),
      ...(!isSame(image, before.image) && { image }),
      ...(!isSame(products, before.products) && { products: [...products] }),
    },
  })
  await refreshCollections()
}

/** Deletes a collection, with a notice that takes it back. */
export async function deleteCollection(collection: Collection): Promise<void> {
  const { slug, title, position } = collection
  try {
    await shop.delete('/admin/collections/{slug}', { params: { path: { slug } } })
  } catch (error) {
    return noticeFailure(error)
  } finally {
    void refreshCollections()
  }
  noticeUndo(t('collections.deleted', { title }), async () => {
    const values = valuesOf(collection)
    await shop.post('/admin/collections', { body: { ...values, products: [...values.products], position } })
    await refreshCollections()
    noticeDone(t('collections.restored', { title }))
  })
}

async function exists(slug: string): Promise<boolean> {
  try {
    await queryClient.fetchQuery({ ...collectionQuery(slug), staleTime: 0 })
    return true
  } catch (error) {
    if (error instanceof StorefrontError && error.status === 404) return false
    throw error
  }
}

export async function refreshCollections(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: COLLECTIONS })
}
