import { t } from 'i18next'
import { ifMatch } from '../../parts/edit-conflict.ts'
import { noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { collectionQuery, type Collection, type ListedCollection } from './collections-queries.ts'
import { bodyOf, refreshCollections, valuesOf } from './save-collection.ts'

/** A collection to delete, as it is when the question appears: the list does not have its products. */
export interface Deletion {
  listed: ListedCollection
  stored: Promise<Collection>
}

export function readToDelete(listed: ListedCollection): Deletion {
  const stored = queryClient.fetchQuery({ ...collectionQuery(listed.slug), staleTime: 0 })
  // A failure is shown when the person agrees.
  stored.catch(() => {})
  return { listed, stored }
}

/** Deletes a collection unless it has changed since the question, with a notice to undo it. */
export async function deleteCollection({ stored }: Deletion): Promise<void> {
  try {
    const collection = await stored
    const { slug, title, etag } = collection
    await shop.delete('/admin/collections/{slug}', { params: { path: { slug }, ...ifMatch(etag) } })
    noticeUndo(t('collections.deleted', { title }), () => restore(collection), t('collections.restored', { title }))
  } catch (error) {
    noticeFailure(error)
  } finally {
    void refreshCollections()
  }
}

async function restore(collection: Collection): Promise<void> {
  const { position } = collection
  await shop.post('/admin/collections', { body: { ...bodyOf(valuesOf(collection)), position } })
  await refreshCollections()
}
