import { t } from 'i18next'
import { noticeDone, noticeFailure, noticeUndo } from '../../parts/notices.ts'
import { shop } from '../../shop.ts'
import { refreshLibrary, type Kind } from './library-queries.ts'

/** An item as the shop takes it; without an id it is new. */
export type ItemBody = Record<string, unknown> & { id?: string }

/**
 * Saves an item, with a notice to undo it.
 * @param before undefined for a new one
 */
export async function saveItem(kind: Kind, name: string, before: ItemBody | undefined, body: ItemBody): Promise<void> {
  const { id } = await put(kind, body)
  noticeUndo(t('library.saved', { name }), async () => {
    if (before) await put(kind, before)
    else await remove(kind, id)
    noticeDone(t('library.restored', { name }))
  })
}

/** Deletes an item, with a notice to undo it. */
export async function deleteItem(kind: Kind, name: string, before: ItemBody & { id: string }): Promise<void> {
  try {
    await remove(kind, before.id)
  } catch (error) {
    return noticeFailure(error)
  }
  noticeUndo(t('library.deleted', { name }), async () => {
    await put(kind, before)
    noticeDone(t('library.restored', { name }))
  })
}

async function put(kind: Kind, body: ItemBody): Promise<{ id: string }> {
  const saved = await shop.post('/admin/library/{kind}', { params: { path: { kind } }, body })
  await refreshLibrary()
  return saved
}

async function remove(kind: Kind, id: string): Promise<void> {
  await shop.delete('/admin/library/{kind}/{id}', { params: { path: { kind, id } } })
  await refreshLibrary()
}
