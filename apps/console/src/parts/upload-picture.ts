import { StorefrontError, type components } from '@storefront/client'
import { t } from 'i18next'
import { shop } from '../shop.ts'
import { member } from './json.ts'

export type Media = components['schemas']['Media']

const TIMEOUT_MS = 120_000
/** The shop encodes one picture at a time. */
export const UPLOADS_AT_ONCE = 3
/** Formats that the shop can read. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

/**
 * Stores a picture in the shop. One that it has already stays as it is.
 * @throws Error which says what is wrong with the file
 */
export async function uploadPicture(file: File): Promise<Media & { duplicate: boolean }> {
  const form = new FormData()
  form.append('file', file, file.name)
  const { items } = await shop
    .post('/admin/media', { body: { file: [] }, bodySerializer: () => form, timeoutMs: TIMEOUT_MS })
    .catch((error: unknown) => {
      const reason = reasonOf(error)
      throw reason === undefined ? error : new Error(t('common.picture.rejected', { reason }))
    })
  const [media] = items
  if (!media) throw new Error('The shop stored no picture.')
  return media
}

/** Such as “is damaged or incomplete”. */
function reasonOf(error: unknown): string | undefined {
  const issues = error instanceof StorefrontError ? member(error.detail, 'issues') : undefined
  const message = member(member(issues, 0), 'message')
  return typeof message === 'string' ? message : undefined
}
