import { z } from 'zod'
import { Timestamp } from './common.ts'

export const MediaSize = z.object({
  url: z.string().describe('Absolute address of the file, which never changes what it shows.'),
  width: z.int().positive().describe('Pixels from side to side.'),
  height: z.int().positive().describe('Pixels from top to bottom.'),
  bytes: z.int().positive().describe('Length of the file.'),
})

/** A picture that a merchant uploaded. `url` is the largest WebP; every size lies beside it, named after its width. */
export const Media = z
  .object({
    id: z.string().describe('Made from the content of the file: the same file always has the same id.'),
    url: z.string().describe('Absolute address of the largest WebP, for the `images` of a product.'),
    path: z.string().describe('The same without the address of the shop: stored in a product, it survives a move.'),
    width: z.int().positive().describe('Pixels from side to side of the largest size.'),
    height: z.int().positive().describe('Pixels from top to bottom of the largest size.'),
    bytes: z.int().positive().describe('Length of the largest WebP.'),
    type: z.literal('image').describe('Tells pictures from videos. The media type of the file is `contentType`.'),
    duration: z.null().describe('Seconds that a video lasts; always null, because uploads are pictures.'),
    contentType: z.string().describe('Media type of the file at `url`: `image/webp`, whatever was uploaded.'),
    name: z.string().describe('Name of the uploaded file without its folders, at most 200 characters.'),
    alt: z.string().optional().describe('What the picture shows, as given with the upload; absent when nothing was.'),
    createdAt: Timestamp.describe('When the picture was first uploaded. ISO 8601, UTC.'),
    sizes: z.array(MediaSize).min(1).describe('The picture as WebP in several widths, the smallest first.'),
    jpeg: MediaSize.describe('The largest size as JPEG, for link previews.'),
  })
  .meta({ id: 'Media' })
export type Media = z.output<typeof Media>
