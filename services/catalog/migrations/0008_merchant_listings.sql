-- What a merchant's list of products finds and sorts by, drafts too: one narrow row a product, because the products
-- themselves are wide and their SKUs lie elsewhere. Kept by save-products.ts.
create table merchant_listings (
  product_id text primary key references products on delete cascade,
  -- Title, slug, tags and SKUs in lower case without accents: what a merchant may type a part of.
  words text not null,
  -- For sorting, in lower case without accents.
  title text collate "C" not null,
  price_minor bigint not null,
  published boolean not null,
  created_at timestamptz not null
);
insert into merchant_listings (product_id, words, title, price_minor, published, created_at)
select p.id,
  lower(public.unaccent(concat_ws(' ', p.title, p.slug, array_to_string(p.tags, ' '),
    (select string_agg(v.sku, ' ') from variants v where v.product_id = p.id)))),
  lower(public.unaccent(p.title)), p.price_minor, p.published, p.created_at
from products p;
-- A part of a word that few products have; one that many have is found sooner by reading all the rows.
create index merchant_listings_words on merchant_listings using gin (words public.gin_trgm_ops);
-- A page of the list in each order, forwards and backwards, and its total: read from the index alone.
create index merchant_listings_newest on merchant_listings (created_at, product_id) include (published);
create index merchant_listings_title on merchant_listings (title, product_id) include (published);
create index merchant_listings_price on merchant_listings (price_minor, product_id) include (published);

-- Checked when a statement ends, so that one save may swap the SKUs of two variants.
alter table variants drop constraint variants_sku_key;
alter table variants add constraint variants_sku_key unique (sku) deferrable initially immediate;
