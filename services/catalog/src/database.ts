import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'
import type { Picture, StorefrontConfiguration } from '@storefront/contracts'

type Json<Value> = ColumnType<Value, string, string>
type Instant = ColumnType<Date, Date, Date>

export interface ProductsTable {
  id: string
  slug: string
  title: string
  published: boolean
  document: Json<unknown>
  price_minor: number
  compare_at_minor: number | null
  currency: string
  tags: string[]
  position: number | null
  created_at: Instant
  version: Generated<number>
  fingerprint: string
}

export interface VariantsTable {
  id: string
  product_id: string
  position: number
  sku: string
  options: Json<Record<string, string>>
  color: string | null
  price_minor: number | null
  compare_at_minor: number | null
  image_id: string | null
}

export interface CatalogTables {
  products: ProductsTable
  variants: VariantsTable
  former_slugs: { slug: string; product_id: string }
  product_responses: { product_id: string; slug: string; item: string; page: string }
  categories: {
    slug: string
    name: string
    parent: string | null
    blurb: string
    image: Json<Picture | null> | null
    position: Generated<number>
  }
  product_categories: { product_id: string; category_slug: string }
  collections: {
    slug: string
    title: string
    blurb: string
    image: Json<Picture | null> | null
    position: Generated<number>
  }
  collection_products: { collection_slug: string; product_id: string; position: number }
  size_charts: { id: string; document: Json<unknown> }
  reviews: {
    id: string
    product_id: string
    author: string
    rating: number
    body: string
    created_at: Instant
    verified: boolean
    size: string
    height: string
    fit: string | null
    photos: Json<Picture[]>
    published: boolean
    hidden: Generated<boolean>
    customer_id: string | null
  }
  former_customers: { customer_id: string; deleted_at: Instant }
  settings: { only_row: Generated<boolean>; version: number; document: Json<StorefrontConfiguration> }
  listing_state: { only_row: Generated<boolean>; bestseller_units: number | null }
  response_format: { only_row: Generated<boolean>; fingerprint: string }
  stock: {
    variant_id: string
    product_id: string
    on_hand: number
    reserved: number
    version: Generated<number>
  }
  library_attributes: {
    id: string
    key: string
    label: string
    group: string
    unit: string | null
    values: string[]
    position: Generated<number>
  }
  library_features: { id: string; icon: string; title: string; body: string; position: Generated<number> }
  library_assurances: { id: string; icon: string; label: string; note: string | null; position: Generated<number> }
  refresh_queue: { id: GeneratedAlways<number>; product_id: string }
}

export type Database = Kysely<CatalogTables>
export type Tx = Transaction<CatalogTables>
