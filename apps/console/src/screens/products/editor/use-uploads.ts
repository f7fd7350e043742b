import { useCallback } from 'react'
import { inParallel } from '../../../parts/in-parallel.ts'
import { randomKey } from '../../../parts/random-key.ts'
import { uploadPicture, UPLOADS_AT_ONCE } from '../../../parts/upload-picture.ts'
import { messageOf } from '../../../shop.ts'
import type { ImageRow } from './product-form.ts'
import type { Change } from './use-product-form.ts'

/** @returns a function that uploads files, and shows them in the form at once, in their order */
export function useUploads(change: Change): (files: readonly File[]) => Promise<void> {
  return useCallback(
    async (files) => {
      const uploads = files.map((file) => ({ file, row: waitingRow(file) }))
      change(({ images }) => ({ images: [...images, ...uploads.map(({ row }) => row)] }))
      await inParallel(uploads, UPLOADS_AT_ONCE, async ({ file, row }) => {
        const done = await uploaded(file, row)
        change(({ images }) => ({
          // The alternative text may have been typed, and the order changed, meanwhile.
          images: images.map((image) =>
            image.id === row.id ? { ...done, alt: image.alt, color: image.color } : image,
          ),
        }))
      })
    },
    [change],
  )
}

function waitingRow(file: File): ImageRow {
  const upload = { name: file.name, preview: URL.createObjectURL(file) }
  return { id: `img_${randomKey()}`, url: '', alt: '', width: null, height: null, color: '', upload }
}

async function uploaded(file: File, row: ImageRow): Promise<ImageRow> {
  try {
    const media = await uploadPicture(file)
    if (row.upload) URL.revokeObjectURL(row.upload.preview)
    const { id, alt, color } = row
    return { id, url: media.path, alt, width: media.width, height: media.height, color }
  } catch (error) {
    const { name = '', preview = '' } = row.upload ?? {}
    return { ...row, upload: { name, preview, failure: messageOf(error) } }
  }
}
