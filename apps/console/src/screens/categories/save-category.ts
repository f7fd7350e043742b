import { t } from 'i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { ifMatch } from '../../parts/edit-conflict.ts'
import { isSame } from '../../parts/is-same.ts'
import { noticeUndo } from '../../parts/notices.ts'
import type { PictureValue } from '../../parts/picture-field.tsx'
import { queryClient } from '../../query-client.ts'
import { shop } from '../../shop.ts'
import { categoriesQuery, type Category } from './categories-queries.ts'

export interface CategoryValues {
  name: string
  slug: string
  parent: string | null
  blurb: string
  image: PictureValue | null
  /** Of what was read; empty for a new one. */
  etag: string
}

export function valuesOf({ name, slug, parent, blurb, image, etag }: Category): CategoryValues {
  return { name, slug, parent, blurb, image: image && { url: image.url, alt: image.alt }, etag }
}

/** What the shop takes. */
export function bodyOf({ name, slug, parent, blurb, image }: CategoryValues) {
  return { name, slug, parent, blurb, image }
}

/** @throws AlreadyExists when there is a category with this slug */
export async function createCategory(values: CategoryValues): Promise<void> {
  const { items } = await queryClient.fetchQuery({ ...categoriesQuery, staleTime: 0 })
  if (items.some(({ slug }) => slug === values.slug)) throw new AlreadyExists(t('categories.fault.taken'))
  await shop.post('/admin/categories', { body: bodyOf(values) })
  await refreshCategories()
  const { name, slug } = values
  const undo = (): Promise<void> =>
    shop.delete('/admin/categories/{slug}', { params: { path: { slug } } }).then(refreshCategories)
  noticeUndo(t('categories.created', { name }), undo, t('categories.deleted', { name }))
}

/** Saves what was changed, with a notice to undo it. */
export async function changeCategory(before: CategoryValues, after: CategoryValues): Promise<void> {
  const saved = await saveChange(before, after)
  const undone = t('categories.restored', { name: before.name })
  noticeUndo(t('categories.saved', { name: after.name }), () => saveChange(saved, before), undone)
}

async function saveChange(before: CategoryValues, after: CategoryValues): Promise<CategoryValues> {
  const { slug, name, blurb, image } = after
  const { response } = await shop.http.POST('/admin/categories', {
    params: ifMatch(before.etag),
    body: {
      slug,
      ...(name !== before.name && { name }),
      ...(blurb !== before.blurb && { blurb }),
      ...(!isSame(image, before.image) && { image }),
    },
  })
  await refreshCategories()
  return { ...after, etag: response.headers.get('etag') ?? '' }
}

export async function refreshCategories(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: categoriesQuery.queryKey })
}
