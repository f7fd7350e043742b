import { z } from 'zod'
import { FocalPoint, Timestamp } from './common.ts'

const MediaSize = z.object({
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
    alt: z.string().optional().describe('What the picture shows; left out if no text was given.'),
    focalPoint: FocalPoint.nullable().describe('What stays visible where the picture is cropped; null for its middle.'),
    createdAt: Timestamp.describe('When the picture was first uploaded. ISO 8601, UTC.'),
    sizes: z.array(MediaSize).min(1).describe('The picture as WebP in several widths, the smallest first.'),
    jpeg: MediaSize.describe('The largest size as JPEG, for link previews.'),
  })
  .meta({ id: 'Media' })
export type Media = z.output<typeof Media>

/** What shows a picture besides products. */
const PictureUse = z.object({
  kind: z
    .enum(['category', 'collection', 'feature', 'assurance', 'storefront'])
    .describe('`feature` and `assurance` are of the library; `storefront` is the configuration.'),
  id: z
    .string()
    .describe('Slug of a category or collection, id of a library item; `storefront` for the configuration.'),
  name: z.string().describe('What merchants call it; empty for the configuration.'),
})

export const PictureUses = z
  .object({
    products: z
      .array(
        z.object({
          id: z.string().describe('Id of the product.'),
          slug: z.string().describe('Its slug.'),
          title: z.string().describe('Its title.'),
        }),
      )
      .describe('The first products that show the picture, by slug, drafts included.'),
    productCount: z.int().nonnegative().describe('How many products show it.'),
    places: z.array(PictureUse).describe('The first other places that show it.'),
  })
  .meta({ id: 'PictureUses' })
export type PictureUses = z.output<typeof PictureUses>
