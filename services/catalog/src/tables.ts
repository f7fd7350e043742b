// The tables of the schema "catalog" after all migrations; made by npm run schema.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

export interface CatalogTables {
  alert_checks: {
    id: GeneratedAlways<number>
    product_id: string
  }
  alert_link_key: {
    only_one: Generated<boolean>
    secret: string
  }
  alert_requests: {
    id: GeneratedAlways<number>
    kind: 'back-in-stock' | 'price-drop'
    product_id: string
    variant_id: string | null
    email: string
    price_minor: number
    currency: string
    senders: string[]
    requested_at: Date
  }
  alerts: {
    id: string
    kind: 'back-in-stock' | 'price-drop'
    product_id: string
    variant_id: string | null
    email: string
    mailbox: string
    price_minor: number | null
    currency: string | null
    created_at: Date
    confirmation_sent_at: Date
    confirmations: Generated<number>
    confirmed_at: Date | null
    done_at: Date | null
  }
  announced_quantities: {
    variant_id: string
    quantity: number
  }
  bulk_edit_products: {
    edit_id: string
    product_id: string
    before: ColumnType<ColumnTypes['bulk_edit_products.before'] | null, string | null, string | null>
    after: ColumnType<ColumnTypes['bulk_edit_products.after'] | null, string | null, string | null>
  }
  bulk_edits: {
    id: string
    created_at: Date
    finished_at: Date | null
    actor: ColumnType<ColumnTypes['bulk_edits.actor'], string, string>
    change: ColumnType<ColumnTypes['bulk_edits.change'] | null, string | null, string | null>
    undoes: string | null
    state: 'queued' | 'running' | 'done' | 'cancelled'
    total: number
    changed: Generated<number>
    unchanged: Generated<number>
    failed: Generated<number>
    problems: ColumnType<ColumnTypes['bulk_edits.problems'], string | undefined, string>
    last_product: Generated<string>
    key_digest: Buffer | null
    request_digest: Buffer | null
  }
  bulk_event_version: {
    one_row: Generated<boolean>
    version: Generated<number>
  }
  categories: {
    slug: string
    name: string
    parent: string | null
    blurb: string
    image: ColumnType<ColumnTypes['categories.image'] | null, string | null, string | null>
    position: Generated<number>
  }
  category_ancestors: {
    slug: string
    ancestor: string
  }
  collection_products: {
    collection_slug: string
    product_id: string
    position: number
  }
  collections: {
    slug: string
    title: string
    blurb: string
    image: ColumnType<ColumnTypes['collections.image'] | null, string | null, string | null>
    position: Generated<number>
  }
  daily_sales: {
    product_id: string
    day: Date
    units: number
  }
  discount_imports: {
    one_row: Generated<boolean>
    last_number: Generated<number>
  }
  former_customers: {
    customer_id: string
    deleted_at: Date
  }
  former_reviews: {
    review_id: string
  }
  former_slugs: {
    slug: string
    product_id: string
  }
  former_variants: {
    variant_id: string
    product_id: string
    sku: string
    place: GeneratedAlways<number>
    options: ColumnType<ColumnTypes['former_variants.options'] | null, string | null, string | null>
  }
  free_ordinals: {
    ordinal: number
  }
  import_jobs: {
    id: string
    created_at: Date
    changed_at: Date
    finished_at: Date | null
    actor: ColumnType<ColumnTypes['import_jobs.actor'], string, string>
    mode: 'merge' | 'replace'
    dry_run: boolean
    attended: boolean
    status: 'receiving' | 'fetching' | 'queued' | 'checking' | 'applying' | 'done' | 'failed' | 'cancelled'
    rows_read: Generated<number>
    rows_checked: Generated<number>
    rows_applied: Generated<number>
    products: Generated<number>
    failure: string | null
    issues: ColumnType<ColumnTypes['import_jobs.issues'], string | undefined, string>
    issue_count: Generated<number>
    result: ColumnType<unknown, string | null, string | null>
    says_discounts: Generated<boolean>
    pictures: Generated<number>
    pictures_fetched: Generated<number>
    picture_worker: string | null
    columns_not_taken: Generated<string[]>
  }
  import_pictures: {
    job_id: string
    url: string
    place: number
    path: string
    media: ColumnType<unknown, string | null, string | null>
    fault: string | null
  }
  import_rows: {
    job_id: string
    type: string
    place: number
    path: string
    key: string | null
    key_made: Generated<boolean>
    given_id: string | null
    skus: string[] | null
    variant_ids: string[] | null
    refs: string[] | null
    chart: string | null
    stored_id: string | null
    data: ColumnType<unknown, string, string>
    faulty: Generated<boolean>
    cells: ColumnType<ColumnTypes['import_rows.cells'] | null, string | null, string | null>
    keeps: Generated<string[]>
  }
  library_assurances: {
    id: string
    icon: string
    label: string
    note: string | null
    position: Generated<number>
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
  library_features: {
    id: string
    icon: string
    title: string
    body: string
    position: Generated<number>
  }
  listing_changes: {
    version: number
    ordinal: number
    lost: number[]
    gained: number[]
    reworded: boolean
  }
  listing_state: {
    only_row: Generated<boolean>
    bestseller_units: number | null
  }
  listing_terms: {
    id: GeneratedAlways<number>
    name: string
  }
  listing_texts: {
    ordinal: number
    words: string
  }
  listing_titles: {
    ordinal: number
    title: string
    heading: string
  }
  listing_version: {
    only_row: Generated<boolean>
    version: number
  }
  listings: {
    ordinal: number
    product_id: string
    price_minor: number
    featured_position: number
    units_sold: number
    rating_hundredths: number
    rating_count: number
    created_ms: number
    shows_new: boolean
    shows_bestseller: boolean
    terms: number[]
    words_fingerprint: string
    title: Generated<string>
  }
  media: {
    id: string
    name: string
    alt: string | null
    sizes: ColumnType<ColumnTypes['media.sizes'], string, string>
    jpeg_bytes: number
    created_at: Date
    focal_x: number | null
    focal_y: number | null
  }
  media_uses: {
    media_id: string
    product_id: string
  }
  merchant_listings: {
    product_id: string
    words: string
    title: string
    price_minor: number
    published: boolean
    created_at: Date
  }
  product_categories: {
    product_id: string
    category_slug: string
  }
  product_responses: {
    product_id: string
    item: string
    page: string
    slug: string
    revision: Generated<number>
  }
  product_saves: {
    entry_id: string
    product_id: string
    removed: boolean
    at: Date
  }
  products: {
    id: string
    slug: string
    title: string
    published: boolean
    document: ColumnType<ColumnTypes['products.document'], string, string>
    price_minor: number
    compare_at_minor: number | null
    currency: string
    tags: string[]
    position: number | null
    created_at: Date
    version: Generated<number>
    fingerprint: string
    publish_at: Date | null
    unpublish_at: Date | null
  }
  purchases: {
    order_id: string
    customer_id: string | null
    product_ids: Generated<string[]>
    paid: Generated<boolean>
  }
  refresh_queue: {
    id: GeneratedAlways<number>
    product_id: string
    moved: Generated<boolean>
  }
  replication_beat: {
    at: Date
  }
  reservations: {
    id: string
    generation: number
    status: 'held' | 'sold' | 'released'
    lines: ColumnType<ColumnTypes['reservations.lines'], string, string>
    expires_at: Date
  }
  response_format: {
    only_row: Generated<boolean>
    fingerprint: string
    renew_again_at: Date | null
    moved: Generated<boolean>
  }
  review_counts: {
    product_id: string
    stars: number[]
    fit_small: number
    fit_true: number
    fit_large: number
    with_photos: number
  }
  reviews: {
    id: string
    product_id: string
    author: string
    rating: number
    body: string
    created_at: Date
    verified: boolean
    size: string
    height: string
    fit: ColumnTypes['reviews.fit'] | null
    photos: ColumnType<ColumnTypes['reviews.photos'], string, string>
    published: boolean
    hidden: Generated<boolean>
    customer_id: string | null
  }
  search_lexemes: {
    lexeme: string
  }
  search_words: {
    word: string
  }
  settings: {
    only_row: Generated<boolean>
    version: number
    document: ColumnType<ColumnTypes['settings.document'], string, string>
  }
  settings_versions: {
    version: number
    document: ColumnType<ColumnTypes['settings_versions.document'], string, string>
    actor: string | null
    at: Generated<Date>
    restored_from: number | null
  }
  size_charts: {
    id: string
    document: ColumnType<unknown, string, string>
  }
  stock: {
    variant_id: string
    product_id: string
    on_hand: number
    reserved: number
    version: Generated<number>
  }
  stock_movements: {
    id: GeneratedAlways<number>
    variant_id: string
    on_hand_delta: number
    reserved_delta: number
    kind: 'set' | 'adjusted' | 'reserved' | 'released' | 'sold' | 'returned'
    reference: string | null
    operation_id: string | null
    at: Date
    actor: string | null
  }
  variants: {
    id: string
    product_id: string
    position: number
    sku: string
    options: ColumnType<ColumnTypes['variants.options'], string, string>
    color: string | null
    price_minor: number | null
    compare_at_minor: number | null
    image_id: string | null
    listed_inventory: number | null
  }
}
