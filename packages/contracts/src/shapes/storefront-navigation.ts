import { z } from 'zod'
import { label, Link, text } from './storefront-values.ts'

export interface NavigationItem {
  [key: string]: unknown
  label?: string | null | undefined
  to?: string | null | undefined
  categorySlug?: string | null | undefined
  slug?: string | null | undefined
  name?: string | null | undefined
  children?: NavigationItem[] | null | undefined
}
const NavigationItem: z.ZodType<NavigationItem> = z
  .looseObject({
    label,
    to: text('Target of the link, such as `/shop?sort=newest`. Left out for an entry with a `categorySlug`.'),
    categorySlug: text('Slug of a category: the entry links to it, and its subcategories become the submenu.'),
    slug: text('In a submenu, slug of a category instead of `to`.'),
    name: text('In a submenu, name of a category instead of `label`.'),
    children: z
      .lazy(() => z.array(NavigationItem))
      .nullish()
      .describe('The submenu, entries of the same shape.'),
  })
  .meta({ id: 'NavigationItem' })

const FooterColumn = z
  .looseObject({
    title: text('The heading above the links.'),
    links: z.array(Link).nullish().describe('From top to bottom.'),
  })
  .meta({ id: 'FooterColumn' })

export const NavigationSettings = z.looseObject({
  primary: z
    .array(NavigationItem)
    .nullish()
    .describe('The menu in the header; if it is empty, the storefront lists the categories.'),
  footer: z.array(FooterColumn).nullish().describe('Columns of links from left to right.'),
  announcement: z
    .looseObject({ messages: z.array(z.string()).nullish().describe('Shown one after the other.') })
    .nullish()
    .describe('The announcement bar above the header; null for none.'),
})
