import type { components } from '@storefront/client'
import { shop } from '../shop.ts'

export type Media = components['schemas']['Media']

const TIMEOUT_MS = 120_000
/** The shop encodes one picture at a time. */
export const UPLOADS_AT_ONCE = 3
/** Formats that the shop can read. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

/** Stores a picture in the shop. One that it has already stays as it is. */
export async function uploadPicture(file: File): Promise<Media & { duplicate: boolean }> {
  const form = new FormData()
  form.append('file', file, file.name)
  const { items } = await shop.post('/admin/media', {
    body: { file: [] },
    bodySerializer: () => form,
    timeoutMs: TIMEOUT_MS,
  })
  const [media] = items
  if (!media) throw new Error('The shop stored no picture.')
  return media
}
