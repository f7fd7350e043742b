-- The SKUs of variants that their products have no more. Carts and orders name a variant by its id: one that comes back under
-- its SKU gets that id again, and its ledger with it. Each product keeps the last thousand.
create table former_variants (
  variant_id text primary key,
  product_id text not null references products (id) on delete cascade,
  sku text not null,
  place bigint not null generated always as identity
);
-- Finds those of one product, and the oldest of them.
create index former_variants_product on former_variants (product_id, place);
