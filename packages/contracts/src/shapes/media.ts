import { z } from 'zod'
import { Timestamp } from './common.ts'

export const MediaSize = z.object({
  url: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  bytes: z.int().positive(),
})

/** A picture that a merchant uploaded. `url` is the largest WebP; every size lies beside it, named after its width. */
export const Media = z
  .object({
    id: z.string(),
    url: z.string(),
    /** The same without the shop's address: written into a product, it survives a move of the shop. */
    path: z.string(),
    width: z.int().positive(),
    height: z.int().positive(),
    bytes: z.int().positive(),
    /** The client tells pictures from videos by it. The media type of the file is `contentType`. */
    type: z.literal('image'),
    /** Seconds that a video lasts: a picture has none. */
    duration: z.null(),
    contentType: z.string(),
    name: z.string(),
    alt: z.string().optional(),
    createdAt: Timestamp,
    /** As WebP, the smallest first; the last one is `url`. */
    sizes: z.array(MediaSize).min(1),
    /** The largest size as JPEG, for link previews. */
    jpeg: MediaSize,
  })
  .meta({ id: 'Media' })
export type Media = z.output<typeof Media>
