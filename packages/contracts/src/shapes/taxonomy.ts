import { z } from 'zod'
import { Picture, Slug } from './common.ts'

const category = {
  slug: z.string().min(1),
  name: z.string().min(1),
  parent: z.string().nullable(),
  blurb: z.string(),
  image: Picture,
  count: z.int().nonnegative(),
}
export const FlatCategory = z.object(category)
export type FlatCategory = z.output<typeof FlatCategory>

export interface Category extends FlatCategory {
  children?: Category[] | undefined
}
export const Category: z.ZodType<Category> = z
  .object({ ...category, children: z.lazy(() => z.array(Category)).optional() })
  .meta({ id: 'Category' })

export const CategoryInput = z.object({
  slug: Slug,
  name: z.string().max(200).regex(/\S/, 'must not be blank'),
  parent: Slug.nullable().default(null),
  blurb: z.string().max(2000).default(''),
  image: Picture.optional(),
})
export type CategoryInput = z.output<typeof CategoryInput>

export const Collection = z
  .object({ slug: z.string(), title: z.string(), blurb: z.string(), image: Picture, count: z.int().nonnegative() })
  .meta({ id: 'Collection' })
export type Collection = z.output<typeof Collection>

export const CollectionInput = z.object({
  slug: Slug,
  title: z.string().max(200).regex(/\S/, 'must not be blank'),
  blurb: z.string().max(2000).default(''),
  image: Picture.optional(),
  products: z.array(Slug).max(100_000).default([]),
})
export type CollectionInput = z.output<typeof CollectionInput>
