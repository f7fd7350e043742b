import { z } from 'zod'
import { Link, text } from './storefront-values.ts'

const Image = z
  .looseObject({
    url: text(
      'A full address, or a path on this server such as `/media/hero.webp`, which replies contain as a full address.',
    ),
    alt: text('What the picture shows, as alternative text.'),
    width: z.int().nullish().describe('In pixels; null if it is not known.'),
    height: z.int().nullish().describe('In pixels, like `width`.'),
  })
  .meta({ id: 'StorefrontImage' })

/** The products of a rail; also the source of its key in `rails` of GET /bootstrap. */
export const RailSource = z
  .looseObject({
    sort: text('Order of the products, as `sort` of GET /products; `featured` by default.'),
    category: text('Slug of a category; products of its subcategories are shown as well.'),
    collection: text('Slug of a collection; null for no restriction.'),
    tags: z
      .union([z.string(), z.array(z.string())])
      .nullish()
      .describe('Products with at least one of these tags: a list, or one text joined by commas.'),
    limit: z
      .int()
      .positive()
      .nullish()
      .describe('How many products, categories or collections are shown. A rail shows 4 by default, 48 at most.'),
    parent: text('For a category strip: slug of the category whose children are shown; null for the top level.'),
  })
  .meta({ id: 'RailSource' })
export type RailSource = z.output<typeof RailSource>

/** Sections that the storefront shows. Sections of other types are left out, and their fields are not validated. */
export const HOME_SECTION_TYPES = [
  'hero',
  'category-strip',
  'product-rail',
  'editorial',
  'collection-grid',
  'rich-text',
  'promises',
] as const

export const HomeSection = z
  .looseObject({
    type: z
      .string()
      .describe(`One of ${HOME_SECTION_TYPES.join(', ')}. Sections of any other type are stored, and not shown.`),
    id: text('Anchor for links to the section.'),
    eyebrow: text('A short line above the title.'),
    title: text('The heading of the section; none by default.'),
    body: z
      .union([z.string(), z.array(z.string())])
      .nullish()
      .describe('One text, or for an editorial section a list with one text for each paragraph.'),
    image: Image.nullish().describe('The picture of a hero or an editorial section.'),
    focal: text('The point of the picture that stays visible when it is cropped, such as `50% 35%`.'),
    actions: z.array(Link).nullish().describe('The buttons of a hero.'),
    action: Link.nullish().describe('The button of an editorial or rich-text section.'),
    ctaLabel: text('Text of the link beside the title.'),
    ctaTo: text('Target of the link beside the title: a path of the storefront or a full address.'),
    source: RailSource.nullish().describe('Which products, categories or collections the section shows.'),
  })
  .meta({ id: 'HomeSection' })
export type HomeSection = z.output<typeof HomeSection>
