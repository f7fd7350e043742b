import { t } from 'i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { noticeUndo, succeeds } from '../../parts/notices.ts'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { libraryQuery, refreshLibrary, textsOf, type CardKind, type Kind, type Library } from './library-queries.ts'

/** An item as the shop takes it; without an id it is new. */
export type ItemBody = Record<string, unknown> & { id?: string }

/** @throws AlreadyExists when the library has an attribute with this key, to which the shop would add a new one */
export async function requireNewKey(key: string): Promise<void> {
  const { attributes } = await readLibrary()
  if (attributes.some((each) => each.key === key.trim())) throw new AlreadyExists(t('library.fault.keyTaken'))
}

/** @throws AlreadyExists when the library has this card, which the shop would not create again */
export async function requireNewCard(
  kind: CardKind,
  { icon, title, text }: { icon: string; title: string; text: string },
): Promise<void> {
  const cards = (await readLibrary())[kind]
  const isSame = (card: (typeof cards)[number]): boolean =>
    card.icon === icon.trim() && textsOf(card).title === title.trim() && textsOf(card).text === text.trim()
  if (cards.some(isSame)) throw new AlreadyExists(t('library.fault.cardTaken'))
}

const readLibrary = (): Promise<Library> => queryClient.fetchQuery({ ...libraryQuery, staleTime: 0 })

/** Saves an item, with a notice to undo it. @param before undefined for a new one */
export async function saveItem(kind: Kind, name: string, before: ItemBody | undefined, body: ItemBody): Promise<void> {
  const { id } = await put(kind, body)
  const undo = (): Promise<unknown> => (before ? put(kind, before) : remove(kind, id))
  noticeUndo(t('library.saved', { name }), undo, t('library.restored', { name }))
}

/** Deletes an item, with a notice to undo it. */
export async function deleteItem(kind: Kind, name: string, before: ItemBody & { id: string }): Promise<void> {
  if (!(await succeeds(remove(kind, before.id)))) return
  noticeUndo(t('library.deleted', { name }), () => put(kind, before), t('library.restored', { name }))
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
