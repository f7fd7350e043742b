-- The schema "catalog" after all migrations of packages/postgres and services/catalog.
-- For reading; made by npm run schema.

create sequence answer_revisions start 1;

create sequence listing_ordinals start 0;

CREATE OR REPLACE FUNCTION catalog.add_media_uses()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'catalog', 'public'
AS $function$
begin
  insert into media_uses (media_id, product_id)
  select upload, saved.id from saved, uploads_in(saved.document::text) as upload on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalog.change_media_uses()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'catalog', 'public'
AS $function$
declare
  uploads text[] := array(select uploads_in(new.document::text));
begin
  delete from media_uses where product_id = new.id and media_id <> all(uploads);
  insert into media_uses (media_id, product_id) select unnest(uploads), new.id on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalog.searchable(words text)
 RETURNS tsvector
 LANGUAGE sql
 STABLE
AS $function$ select strip(to_tsvector('shopping', words) || to_tsvector('shopping_plain', words)) $function$;

CREATE OR REPLACE FUNCTION catalog.similar_words(typed text)
 RETURNS TABLE(word text, distance integer)
 LANGUAGE sql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
  select w.word, public.levenshtein(w.word, public.unaccent(typed)) as distance
  from search_words w
  where w.word operator(public.%) public.unaccent(typed)
    and public.levenshtein_less_equal(w.word, public.unaccent(typed), 2) <= 2
  order by distance, public.similarity(w.word, public.unaccent(typed)) desc, w.word
$function$;

CREATE OR REPLACE FUNCTION catalog.uploads_in(content text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select distinct left(part, 36) from unnest(string_to_array(content, '/uploads/')) as parts (part)
  where part ~ '^med_[0-9a-f]{32}'
$function$;

create table alert_checks (
  id bigint not null generated always as identity,
  product_id text not null,
  constraint alert_checks_pkey PRIMARY KEY (id)
);

create table alert_link_key (
  only_one boolean not null default true,
  secret text not null,
  constraint alert_link_key_pkey PRIMARY KEY (only_one),
  constraint alert_link_key_only_one_check CHECK (only_one)
);

create table alert_requests (
  id bigint not null generated always as identity,
  kind text not null,
  product_id text not null,
  variant_id text,
  email text not null,
  price_minor bigint not null,
  currency text not null,
  senders text[] not null,
  requested_at timestamp with time zone not null,
  constraint alert_requests_pkey PRIMARY KEY (id),
  constraint alert_requests_kind_check CHECK (kind = ANY (ARRAY['back-in-stock'::text, 'price-drop'::text]))
);

create table alerts (
  id text not null,
  kind text not null,
  product_id text not null,
  variant_id text,
  email text not null,
  mailbox text not null,
  price_minor bigint,
  currency text,
  created_at timestamp with time zone not null,
  confirmation_sent_at timestamp with time zone not null,
  confirmations integer not null default 1,
  confirmed_at timestamp with time zone,
  done_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint alerts_variant_id_fkey FOREIGN KEY (variant_id) REFERENCES variants(id) ON DELETE CASCADE,
  constraint alerts_check CHECK ((kind = 'back-in-stock'::text) = (variant_id IS NOT NULL)),
  constraint alerts_check1 CHECK ((kind = 'price-drop'::text) = (price_minor IS NOT NULL AND currency IS NOT NULL)),
  constraint alerts_kind_check CHECK (kind = ANY (ARRAY['back-in-stock'::text, 'price-drop'::text])),
  constraint alerts_price_minor_check CHECK (price_minor >= 0)
);
CREATE INDEX alerts_done ON alerts USING btree (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX alerts_of_mailbox ON alerts USING btree (mailbox, id);
CREATE INDEX alerts_of_product ON alerts USING btree (product_id);
CREATE INDEX alerts_of_variant ON alerts USING btree (variant_id) WHERE variant_id IS NOT NULL;
CREATE UNIQUE INDEX alerts_open ON alerts USING btree (email, product_id, kind, COALESCE(variant_id, ''::text)) WHERE done_at IS NULL;
CREATE INDEX alerts_price ON alerts USING btree (product_id, price_minor) WHERE confirmed_at IS NOT NULL AND done_at IS NULL AND kind = 'price-drop'::text;
CREATE INDEX alerts_restock ON alerts USING btree (variant_id, id) WHERE confirmed_at IS NOT NULL AND done_at IS NULL AND variant_id IS NOT NULL;
CREATE INDEX alerts_unconfirmed ON alerts USING btree (confirmation_sent_at) WHERE confirmed_at IS NULL;

create table announced_quantities (
  variant_id text not null,
  quantity integer not null,
  constraint announced_quantities_pkey PRIMARY KEY (variant_id)
);

create table audit_entries (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  constraint audit_entries_pkey PRIMARY KEY (id),
  constraint audit_entries_action_check CHECK (action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'import'::text, 'bulk-edit'::text]))
);
CREATE INDEX audit_entries_actor ON audit_entries USING btree (actor, id DESC);
CREATE INDEX audit_entries_actor_latest ON audit_entries USING btree (actor, at, id) WHERE action <> 'bulk-edit'::text;
CREATE INDEX audit_entries_kind_latest ON audit_entries USING btree (subject_kind, at, id) WHERE action <> 'bulk-edit'::text;
CREATE INDEX audit_entries_latest ON audit_entries USING btree (at, id);
CREATE INDEX audit_entries_shown ON audit_entries USING btree (at, id) WHERE action <> 'bulk-edit'::text;
CREATE INDEX audit_entries_subject ON audit_entries USING btree (subject_kind, subject_id, id DESC);
comment on table audit_entries is 'append only';

create table bulk_edit_products (
  edit_id text not null,
  product_id text not null,
  before jsonb,
  after jsonb,
  constraint bulk_edit_products_pkey PRIMARY KEY (edit_id, product_id),
  constraint bulk_edit_products_edit_id_fkey FOREIGN KEY (edit_id) REFERENCES bulk_edits(id) ON DELETE CASCADE
);

create table bulk_edits (
  id text not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  actor jsonb not null,
  change jsonb,
  undoes text,
  state text not null,
  total integer not null,
  changed integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  problems jsonb not null default '[]'::jsonb,
  last_product text not null default ''::text,
  key_digest bytea,
  request_digest bytea,
  constraint bulk_edits_pkey PRIMARY KEY (id),
  constraint bulk_edits_key_digest_key UNIQUE (key_digest),
  constraint bulk_edits_undoes_fkey FOREIGN KEY (undoes) REFERENCES bulk_edits(id) ON DELETE CASCADE,
  constraint bulk_edits_state_check CHECK (state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'cancelled'::text]))
);
CREATE INDEX bulk_edits_created ON bulk_edits USING btree (created_at DESC, id DESC);
CREATE INDEX bulk_edits_open ON bulk_edits USING btree (created_at, id) WHERE finished_at IS NULL;
CREATE UNIQUE INDEX bulk_edits_undoes ON bulk_edits USING btree (undoes) WHERE state <> 'cancelled'::text;

create table bulk_event_version (
  one_row boolean not null default true,
  version bigint not null default 0,
  constraint bulk_event_version_pkey PRIMARY KEY (one_row),
  constraint bulk_event_version_one_row_check CHECK (one_row)
);

create table categories (
  slug text not null,
  name text not null,
  parent text,
  blurb text not null,
  image jsonb,
  "position" integer not null generated by default as identity,
  constraint categories_pkey PRIMARY KEY (slug),
  constraint categories_parent_fkey FOREIGN KEY (parent) REFERENCES categories(slug)
);

create table category_ancestors (
  slug text not null,
  ancestor text not null,
  constraint category_ancestors_pkey PRIMARY KEY (slug, ancestor),
  constraint category_ancestors_ancestor_fkey FOREIGN KEY (ancestor) REFERENCES categories(slug) ON DELETE CASCADE,
  constraint category_ancestors_slug_fkey FOREIGN KEY (slug) REFERENCES categories(slug) ON DELETE CASCADE
);
CREATE INDEX category_ancestors_ancestor ON category_ancestors USING btree (ancestor);

create table collection_products (
  collection_slug text not null,
  product_id text not null,
  "position" integer not null,
  constraint collection_products_pkey PRIMARY KEY (collection_slug, product_id),
  constraint collection_products_collection_slug_fkey FOREIGN KEY (collection_slug) REFERENCES collections(slug) ON DELETE CASCADE,
  constraint collection_products_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX collection_products_product ON collection_products USING btree (product_id);

create table collections (
  slug text not null,
  title text not null,
  blurb text not null,
  image jsonb,
  "position" integer not null generated by default as identity,
  constraint collections_pkey PRIMARY KEY (slug)
);

create table daily_sales (
  product_id text not null,
  day date not null,
  units integer not null,
  constraint daily_sales_pkey PRIMARY KEY (product_id, day)
);
CREATE INDEX daily_sales_day ON daily_sales USING btree (day);

create table discount_imports (
  one_row boolean not null default true,
  last_number bigint not null default 0,
  constraint discount_imports_pkey PRIMARY KEY (one_row),
  constraint discount_imports_one_row_check CHECK (one_row)
);

create table former_customers (
  customer_id text not null,
  deleted_at timestamp with time zone not null,
  constraint former_customers_pkey PRIMARY KEY (customer_id)
);

create table former_reviews (
  review_id text not null,
  constraint former_reviews_pkey PRIMARY KEY (review_id)
);

create table former_slugs (
  slug text not null,
  product_id text not null,
  constraint former_slugs_pkey PRIMARY KEY (slug),
  constraint former_slugs_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);

create table former_variants (
  variant_id text not null,
  product_id text not null,
  sku text not null,
  place bigint not null generated always as identity,
  options jsonb,
  constraint former_variants_pkey PRIMARY KEY (variant_id),
  constraint former_variants_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX former_variants_product ON former_variants USING btree (product_id, place);

create table free_ordinals (
  ordinal integer not null,
  constraint free_ordinals_pkey PRIMARY KEY (ordinal)
);

create table import_jobs (
  id text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  actor jsonb not null,
  mode text not null,
  dry_run boolean not null,
  attended boolean not null,
  status text not null,
  rows_read integer not null default 0,
  rows_checked integer not null default 0,
  rows_applied integer not null default 0,
  products integer not null default 0,
  failure text,
  issues jsonb not null default '[]'::jsonb,
  issue_count integer not null default 0,
  result jsonb,
  says_discounts boolean not null default false,
  pictures integer not null default 0,
  pictures_fetched integer not null default 0,
  picture_worker text,
  columns_not_taken text[] not null default '{}'::text[],
  constraint import_jobs_pkey PRIMARY KEY (id),
  constraint import_jobs_mode_check CHECK (mode = ANY (ARRAY['merge'::text, 'replace'::text])),
  constraint import_jobs_status_check CHECK (status = ANY (ARRAY['receiving'::text, 'fetching'::text, 'queued'::text, 'checking'::text, 'applying'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))
);
CREATE INDEX import_jobs_created ON import_jobs USING btree (created_at DESC, id DESC);
CREATE INDEX import_jobs_open ON import_jobs USING btree (created_at) WHERE finished_at IS NULL;

create table import_pictures (
  job_id text not null,
  url text not null,
  place integer not null,
  path text not null,
  media jsonb,
  fault text,
  constraint import_pictures_pkey PRIMARY KEY (job_id, url),
  constraint import_pictures_job_id_fkey FOREIGN KEY (job_id) REFERENCES import_jobs(id) ON DELETE CASCADE
);

create table import_rows (
  job_id text not null,
  type text not null,
  place integer not null,
  path text not null,
  key text,
  key_made boolean not null default false,
  given_id text,
  skus text[],
  variant_ids text[],
  refs text[],
  chart text,
  stored_id text,
  data json not null,
  faulty boolean not null default false,
  cells jsonb,
  keeps text[] not null default '{}'::text[],
  constraint import_rows_pkey PRIMARY KEY (job_id, type, place),
  constraint import_rows_job_id_fkey FOREIGN KEY (job_id) REFERENCES import_jobs(id) ON DELETE CASCADE
);
CREATE INDEX import_rows_key ON import_rows USING btree (job_id, type, key);
CREATE INDEX import_rows_stored ON import_rows USING btree (job_id, type, stored_id) WHERE stored_id IS NOT NULL;

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamp with time zone not null default now(),
  given_up_at timestamp with time zone,
  constraint inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

create table library_assurances (
  id text not null,
  icon text not null,
  label text not null,
  note text,
  "position" bigint not null generated by default as identity,
  constraint library_assurances_pkey PRIMARY KEY (id)
);

create table library_attributes (
  id text not null,
  key text not null,
  label text not null,
  "group" text not null,
  unit text,
  "values" text[] not null,
  "position" bigint not null generated by default as identity,
  constraint library_attributes_pkey PRIMARY KEY (id),
  constraint library_attributes_key_key UNIQUE (key)
);

create table library_features (
  id text not null,
  icon text not null,
  title text not null,
  body text not null,
  "position" bigint not null generated by default as identity,
  constraint library_features_pkey PRIMARY KEY (id)
);

create table listing_changes (
  version bigint not null,
  ordinal integer not null,
  lost integer[] not null,
  gained integer[] not null,
  reworded boolean not null,
  constraint listing_changes_pkey PRIMARY KEY (version, ordinal)
);

create table listing_state (
  only_row boolean not null default true,
  bestseller_units integer,
  constraint listing_state_pkey PRIMARY KEY (only_row),
  constraint listing_state_only_row_check CHECK (only_row)
);

create table listing_terms (
  id integer not null generated always as identity,
  name text collate "C" not null,
  constraint listing_terms_pkey PRIMARY KEY (id),
  constraint listing_terms_name_key UNIQUE (name)
);

create table listing_texts (
  ordinal integer not null,
  words tsvector not null,
  constraint listing_texts_pkey PRIMARY KEY (ordinal),
  constraint listing_texts_ordinal_fkey FOREIGN KEY (ordinal) REFERENCES listings(ordinal) ON DELETE CASCADE
);
CREATE INDEX listing_texts_words ON listing_texts USING gin (words) WITH (fastupdate='on');

create table listing_titles (
  ordinal integer not null,
  title tsvector not null,
  heading tsvector not null,
  constraint listing_titles_pkey PRIMARY KEY (ordinal),
  constraint listing_titles_ordinal_fkey FOREIGN KEY (ordinal) REFERENCES listings(ordinal) ON DELETE CASCADE
);
CREATE INDEX listing_titles_heading ON listing_titles USING gin (heading) WITH (fastupdate='on');
CREATE INDEX listing_titles_title ON listing_titles USING gin (title) WITH (fastupdate='on');

create table listing_version (
  only_row boolean not null default true,
  version bigint not null,
  constraint listing_version_pkey PRIMARY KEY (only_row),
  constraint listing_version_only_row_check CHECK (only_row)
);

create table listings (
  ordinal integer not null,
  product_id text not null,
  price_minor bigint not null,
  featured_position bigint not null,
  units_sold integer not null,
  rating_hundredths integer not null,
  rating_count integer not null,
  created_ms bigint not null,
  shows_new boolean not null,
  shows_bestseller boolean not null,
  terms integer[] not null,
  words_fingerprint text not null,
  title text not null default ''::text,
  constraint listings_pkey PRIMARY KEY (ordinal),
  constraint listings_product_id_key UNIQUE (product_id),
  constraint listings_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  constraint listings_price_minor_check CHECK (price_minor >= 0 AND price_minor < '17179869184'::bigint)
);
CREATE INDEX listings_selling ON listings USING btree (units_sold) WHERE NOT shows_bestseller AND units_sold > 0;
CREATE INDEX listings_showing_bestseller ON listings USING btree (units_sold) WHERE shows_bestseller;
CREATE INDEX listings_showing_new ON listings USING btree (created_ms) WHERE shows_new;

create table media (
  id text not null,
  name text not null,
  alt text,
  sizes jsonb not null,
  jpeg_bytes integer not null,
  created_at timestamp with time zone not null,
  focal_x double precision,
  focal_y double precision,
  constraint media_pkey PRIMARY KEY (id),
  constraint media_focal_point CHECK ((focal_x IS NULL) = (focal_y IS NULL) AND focal_x >= 0::double precision AND focal_x <= 1::double precision AND focal_y >= 0::double precision AND focal_y <= 1::double precision),
  constraint media_jpeg_bytes_check CHECK (jpeg_bytes > 0)
);
CREATE INDEX media_newest ON media USING btree (created_at DESC, id DESC);

create table media_uses (
  media_id text not null,
  product_id text not null,
  constraint media_uses_pkey PRIMARY KEY (media_id, product_id),
  constraint media_uses_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX media_uses_product ON media_uses USING btree (product_id);

create table merchant_listings (
  product_id text not null,
  words text not null,
  title text collate "C" not null,
  price_minor bigint not null,
  published boolean not null,
  created_at timestamp with time zone not null,
  constraint merchant_listings_pkey PRIMARY KEY (product_id),
  constraint merchant_listings_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX merchant_listings_drafts ON merchant_listings USING btree (product_id) WHERE NOT published;
CREATE INDEX merchant_listings_newest ON merchant_listings USING btree (created_at, product_id) INCLUDE (published);
CREATE INDEX merchant_listings_price ON merchant_listings USING btree (price_minor, product_id) INCLUDE (published);
CREATE INDEX merchant_listings_title ON merchant_listings USING btree (title, product_id) INCLUDE (published);
CREATE INDEX merchant_listings_words ON merchant_listings USING gin (words public.gin_trgm_ops);

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table outbox (
  id bigint not null generated always as identity,
  event_id text not null,
  name text not null,
  payload text not null,
  traceparent text,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table product_categories (
  product_id text not null,
  category_slug text not null,
  constraint product_categories_pkey PRIMARY KEY (category_slug, product_id),
  constraint product_categories_category_slug_fkey FOREIGN KEY (category_slug) REFERENCES categories(slug) ON DELETE CASCADE,
  constraint product_categories_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
);
CREATE INDEX product_categories_product ON product_categories USING btree (product_id);

create table product_responses (
  product_id text not null,
  item text storage main not null,
  page text storage external not null,
  slug text not null,
  revision bigint not null default nextval('answer_revisions'::regclass),
  constraint product_responses_pkey PRIMARY KEY (product_id),
  constraint product_responses_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE
) with (toast_tuple_target=4096);

create table product_saves (
  entry_id text not null,
  product_id text not null,
  removed boolean not null,
  at timestamp with time zone not null,
  constraint product_saves_pkey PRIMARY KEY (entry_id)
);
CREATE INDEX product_saves_product ON product_saves USING btree (product_id) WHERE NOT removed;

create table products (
  id text not null,
  slug text not null,
  title text not null,
  published boolean not null,
  document jsonb not null,
  price_minor bigint not null,
  compare_at_minor bigint,
  currency text not null,
  tags text[] not null,
  "position" integer,
  created_at timestamp with time zone not null,
  version bigint not null default 1,
  fingerprint text not null,
  publish_at timestamp with time zone,
  unpublish_at timestamp with time zone,
  constraint products_pkey PRIMARY KEY (id),
  constraint products_slug_key UNIQUE (slug),
  constraint products_compare_at_minor_check CHECK (compare_at_minor >= 0),
  constraint products_price_minor_check CHECK (price_minor >= 0)
);
CREATE INDEX products_due ON products USING btree (LEAST(publish_at, unpublish_at)) WHERE LEAST(publish_at, unpublish_at) IS NOT NULL;
CREATE INDEX products_size_chart ON products USING btree ((document ->> 'sizeChartId'::text)) WHERE document ? 'sizeChartId'::text;

create table purchases (
  order_id text not null,
  customer_id text,
  product_ids text[] not null default '{}'::text[],
  paid boolean not null default false,
  constraint purchases_pkey PRIMARY KEY (order_id)
);
CREATE INDEX purchases_customer ON purchases USING btree (customer_id) WHERE customer_id IS NOT NULL;

create table receipt_checks (
  consumer text not null,
  checked_until timestamp with time zone not null,
  constraint receipt_checks_pkey PRIMARY KEY (consumer)
);

create table refresh_queue (
  id bigint not null generated always as identity,
  product_id text not null,
  moved boolean not null default false,
  constraint refresh_queue_pkey PRIMARY KEY (id)
);
CREATE INDEX refresh_queue_product ON refresh_queue USING btree (product_id);

create table replication_beat (
  at timestamp with time zone not null
);

create table reservations (
  id text not null,
  generation integer not null,
  status text not null,
  lines jsonb not null,
  expires_at timestamp with time zone not null,
  constraint reservations_pkey PRIMARY KEY (id),
  constraint reservations_status_check CHECK (status = ANY (ARRAY['held'::text, 'sold'::text, 'released'::text]))
);
CREATE INDEX reservations_due ON reservations USING btree (expires_at) WHERE status = 'held'::text;

create table response_format (
  only_row boolean not null default true,
  fingerprint text not null,
  renew_again_at timestamp with time zone,
  moved boolean not null default false,
  constraint response_format_pkey PRIMARY KEY (only_row),
  constraint response_format_only_row_check CHECK (only_row)
);

create table review_counts (
  product_id text not null,
  stars integer[] not null,
  fit_small integer not null,
  fit_true integer not null,
  fit_large integer not null,
  with_photos integer not null,
  constraint review_counts_pkey PRIMARY KEY (product_id),
  constraint review_counts_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint review_counts_stars_check CHECK (cardinality(stars) = 5)
);

create table reviews (
  id text not null,
  product_id text not null,
  author text not null,
  rating integer not null,
  body text not null,
  created_at timestamp with time zone not null,
  verified boolean not null,
  size text not null,
  height text not null,
  fit text,
  photos jsonb not null,
  published boolean not null,
  hidden boolean not null default false,
  customer_id text,
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint reviews_rating_check CHECK (rating >= 1 AND rating <= 5)
);
CREATE UNIQUE INDEX reviews_customer ON reviews USING btree (product_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX reviews_newest ON reviews USING btree (created_at DESC, id);
CREATE INDEX reviews_of_product ON reviews USING btree (product_id, created_at DESC, id);
CREATE INDEX reviews_product ON reviews USING btree (product_id, created_at DESC, verified DESC, id) WHERE published;
CREATE INDEX reviews_unpublished ON reviews USING btree (hidden, created_at DESC, id) WHERE NOT published;
CREATE INDEX reviews_written_by ON reviews USING btree (customer_id, id) WHERE customer_id IS NOT NULL;

create table search_lexemes (
  lexeme text collate "C" not null,
  constraint search_lexemes_pkey PRIMARY KEY (lexeme)
);

create table search_words (
  word text not null,
  constraint search_words_pkey PRIMARY KEY (word)
);
CREATE INDEX search_words_similar ON search_words USING gin (word public.gin_trgm_ops);

create table sent_events (
  id bigint not null,
  event_id text not null,
  name text not null,
  payload text not null,
  sent_at timestamp with time zone not null default now(),
  constraint sent_events_pkey PRIMARY KEY (id)
);
CREATE INDEX sent_events_sent ON sent_events USING btree (sent_at);

create table settings (
  only_row boolean not null default true,
  version bigint not null,
  document jsonb not null,
  constraint settings_pkey PRIMARY KEY (only_row),
  constraint settings_only_row_check CHECK (only_row)
);

create table settings_versions (
  version bigint not null,
  document jsonb not null,
  actor text,
  at timestamp with time zone not null default now(),
  restored_from bigint,
  constraint settings_versions_pkey PRIMARY KEY (version)
);
comment on table settings_versions is 'append only';

create table size_charts (
  id text not null,
  document jsonb not null,
  constraint size_charts_pkey PRIMARY KEY (id)
);

create table stock (
  variant_id text not null,
  product_id text not null,
  on_hand integer not null,
  reserved integer not null,
  version bigint not null default 1,
  constraint stock_pkey PRIMARY KEY (variant_id),
  constraint never_oversold CHECK (reserved <= on_hand),
  constraint stock_on_hand_check CHECK (on_hand >= 0),
  constraint stock_reserved_check CHECK (reserved >= 0)
) with (fillfactor=50);

create table stock_movements (
  id bigint not null generated always as identity,
  variant_id text not null,
  on_hand_delta integer not null,
  reserved_delta integer not null,
  kind text not null,
  reference text,
  operation_id text,
  at timestamp with time zone not null,
  actor text,
  constraint stock_movements_pkey PRIMARY KEY (id),
  constraint stock_movements_kind_check CHECK (kind = ANY (ARRAY['set'::text, 'adjusted'::text, 'reserved'::text, 'released'::text, 'sold'::text, 'returned'::text]))
);
CREATE UNIQUE INDEX stock_movements_operation ON stock_movements USING btree (variant_id, operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX stock_movements_variant ON stock_movements USING btree (variant_id, id);
comment on table stock_movements is 'append only';

create table variants (
  id text not null,
  product_id text not null,
  "position" integer not null,
  sku text not null,
  options jsonb not null,
  color text,
  price_minor bigint,
  compare_at_minor bigint,
  image_id text,
  listed_inventory integer,
  constraint variants_pkey PRIMARY KEY (id),
  constraint variants_sku_key UNIQUE (sku) DEFERRABLE,
  constraint variants_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE,
  constraint variants_compare_at_minor_check CHECK (compare_at_minor >= 0),
  constraint variants_price_minor_check CHECK (price_minor >= 0)
);
CREATE INDEX variants_low_stock ON variants USING btree (listed_inventory, sku);
CREATE INDEX variants_product ON variants USING btree (product_id, "position");
CREATE INDEX variants_sku_lower ON variants USING btree (lower(sku) text_pattern_ops);

create view answer_format as
 SELECT only_row,
    fingerprint
   FROM response_format;

create view bulk_news as
 SELECT one_row,
    version
   FROM bulk_event_version;

create view product_answers as
 SELECT product_id,
    item,
    page,
    slug,
    revision
   FROM product_responses;

CREATE TRIGGER add_media_uses AFTER INSERT ON products REFERENCING NEW TABLE AS saved FOR EACH STATEMENT EXECUTE FUNCTION add_media_uses();

CREATE TRIGGER change_media_uses AFTER UPDATE OF document ON products FOR EACH ROW WHEN (old.document IS DISTINCT FROM new.document) EXECUTE FUNCTION change_media_uses();

-- The service may select, insert, update and delete in every table, but:
--   audit_entries: the service may insert, select
--   migrations: the service may select
--   settings_versions: the service may insert, select
--   stock_movements: the service may insert, select
