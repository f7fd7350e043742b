import { SORTS } from '../pages/list/list-state.ts'
import type { Catalog, Category, Collection, Product, ProductQuery, Settings } from '../shop/catalog.ts'
import { categoryPath, type Frame } from '../shop/frame.ts'

export type HomeSection = NonNullable<Settings['home']>[number]

/** A section of the home page with what it shows. */
export interface FilledSection {
  section: HomeSection
  products: readonly Product[]
  categories: readonly Category[]
  collections: readonly Collection[]
}

const MAX_SECTIONS = 100
const DEFAULT_RAIL = 4
const MAX_RAIL = 48

/** Reads what the sections of the configuration show; rails of the same products are read once. */
export async function readSections(frame: Frame, catalog: Catalog): Promise<FilledSection[]> {
  const rails = new Map<string, Promise<Product[]>>()
  const railOf = (section: HomeSection): Promise<Product[]> => {
    const query = railQuery(section)
    const key = JSON.stringify(query)
    const products = rails.get(key) ?? catalog.products(query).then(({ items }) => items)
    rails.set(key, products)
    return products
  }
  const sections = (frame.settings.home ?? []).slice(0, MAX_SECTIONS)
  return Promise.all(
    sections.map(async (section) => ({
      section,
      products: section.type === 'product-rail' ? await railOf(section) : [],
      categories: section.type === 'category-strip' ? categoriesOf(section, frame) : [],
      collections:
        section.type === 'collection-grid' ? frame.collections.slice(0, section.source?.limit ?? undefined) : [],
    })),
  )
}

function railQuery({ source }: HomeSection): ProductQuery {
  const sort = SORTS.find((one) => one === source?.sort)
  const tags = Array.isArray(source?.tags) ? source.tags.join(',') : source?.tags
  return {
    ...(sort && { sort }),
    ...(source?.category && { category: source.category }),
    ...(source?.collection && { collection: source.collection }),
    ...(tags && { tags }),
    per_page: Math.min(MAX_RAIL, source?.limit ?? DEFAULT_RAIL),
  }
}

function categoriesOf({ source }: HomeSection, { categories }: Frame): readonly Category[] {
  const parent = source?.parent
  const found = parent ? (categoryPath(categories, parent).at(-1)?.children ?? []) : categories
  return found.slice(0, source?.limit ?? undefined)
}
