import { z } from 'zod'
import { Timestamp } from './common.ts'

export const MediaSize = z.object({
  url: z.string().describe('Absolute address of the file, whose content never changes.'),
  width: z.int().positive().describe('Width in pixels.'),
  height: z.int().positive().describe('Height in pixels.'),
  bytes: z.int().positive().describe('Size of the file in bytes.'),
})

/**
 * A picture that a merchant uploaded. `url` is the largest WebP; every size is stored beside it, named after its width.
 */
export const Media = z
  .object({
    id: z.string().describe('Made from the content of the file: the same file always has the same id.'),
    url: z.string().describe('Absolute address of the largest WebP, for the `images` of a product.'),
    path: z
      .string()
      .describe('The same without the host of the shop: stored in a product, it stays valid when the host changes.'),
    width: z.int().positive().describe('Width of the largest size, in pixels.'),
    height: z.int().positive().describe('Height of the largest size, in pixels.'),
    bytes: z.int().positive().describe('Size of the largest WebP in bytes.'),
    type: z
      .literal('image')
      .describe('Distinguishes pictures from videos. The media type of the file is `contentType`.'),
    duration: z.null().describe('Length of a video in seconds; always null, because uploads are pictures.'),
    contentType: z.string().describe('Media type of the file at `url`: always `image/webp`.'),
    name: z.string().describe('Name of the uploaded file without its folders, at most 200 characters.'),
    alt: z
      .string()
      .optional()
      .describe('What the picture shows, as given with the upload; left out if none was given.'),
    createdAt: Timestamp.describe('When the picture was first uploaded. ISO 8601, UTC.'),
    sizes: z.array(MediaSize).min(1).describe('The picture as WebP in several widths, the smallest first.'),
    jpeg: MediaSize.describe('The largest size as JPEG, for link previews.'),
  })
  .meta({ id: 'Media' })
export type Media = z.output<typeof Media>
