import { z } from 'zod'
import { Product } from './product.ts'
import { FlatCategory } from './taxonomy.ts'

/** What a shopper may mean who is still typing. */
export const SearchSuggestions = z
  .object({
    queries: z
      .array(z.string().min(1))
      .describe('Texts to search for, all with results: the typed words, with the last one completed.'),
    categories: z
      .array(FlatCategory.pick({ slug: true, name: true, count: true }))
      .describe('Categories whose names have the typed words, those with the most products first.'),
    products: z
      .array(Product.pick({ slug: true, title: true, price: true, images: true }))
      .describe('The best matches, as the search lists them, each with its first image only.'),
  })
  .meta({ id: 'SearchSuggestions' })
export type SearchSuggestions = z.output<typeof SearchSuggestions>
