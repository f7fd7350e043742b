-- Accents do not matter to a shopper who types, and a mistyped word is measured against those that exist. All three are
-- trusted extensions: the owner of the database may create them.
create extension if not exists unaccent with schema public;
create extension if not exists pg_trgm with schema public;
create extension if not exists fuzzystrmatch with schema public;

-- English stemming over words without accents, for words that are typed whole.
create text search configuration shopping (copy = pg_catalog.english);
alter text search configuration shopping
  alter mapping for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
  with public.unaccent, english_stem;

-- The words as they are, for one that is still being typed: `runn` begins `running`, and not its stem `run`. Common words
-- count here, because `over` begins `overshirt`.
create text search configuration shopping_plain (copy = pg_catalog.simple);
alter text search configuration shopping_plain
  alter mapping for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
  with public.unaccent, simple;

create function searchable(words text) returns tsvector language sql stable as
  $$ select strip(to_tsvector('shopping', words) || to_tsvector('shopping_plain', words)) $$;

-- What lists sort by: one narrow row for each product a shopper can see. Derived, kept by refresh-products.ts.
-- No cascade from products: whoever deletes one has to take it off the lists first, or its bits would stay.
create table listings (
  -- The product's place in every bitmap of listing_bits. Numbers are used again, so that bitmaps stay dense.
  ordinal integer primary key,
  product_id text not null unique references products,
  price_minor bigint not null check (price_minor >= 0 and price_minor < 17179869184), -- 34 price slices
  -- 2^31, which no merchant can give, where there is none.
  featured_position bigint not null,
  units_sold integer not null,
  rating_hundredths integer not null,
  rating_count integer not null,
  created_ms bigint not null,
  -- For the timers: the badge `new` has an end, and `bestseller` depends on the others.
  shows_new boolean not null,
  shows_bestseller boolean not null
);
create sequence listing_ordinals as integer minvalue 0 start 0;
create table free_ordinals (ordinal integer primary key);
-- One index an order, all columns ascending (negated where the order is descending), so that a page after a cursor is
-- one row comparison; the id is last, so that pages never overlap, and compared by its bytes, on every server alike.
create index listings_featured on listings
  (featured_position, (-units_sold), (-rating_count), (-created_ms), product_id collate "C");
create index listings_newest on listings ((-created_ms), product_id collate "C");
create index listings_price_ascending on listings (price_minor, product_id collate "C");
create index listings_price_descending on listings ((-price_minor), product_id collate "C");
create index listings_rating on listings ((-rating_hundredths), (-rating_count), product_id collate "C");
create index listings_bestselling on listings (units_sold desc, rating_count desc, created_ms desc, product_id collate "C");
create index listings_showing_new on listings (created_ms) where shows_new;

-- What a listing can be filtered by, and a fingerprint of what a search finds it by: to see what a refresh changes.
create table listing_terms (
  ordinal integer primary key references listings on delete cascade,
  terms text[] not null,
  words_fingerprint text not null
);

-- A bitmap for every term, in chunks of 2,048 listings: bit n of chunk c stands for the listing c * 2048 + n.
-- A filter is ANDs and ORs of a few of them, and its total a count of bits, however many listings match.
create table listing_bits (
  term text collate "C" not null,
  chunk integer not null,
  bits bit(2048) not null,
  primary key (term, chunk)
) with (fillfactor = 70);

-- The prices as a bit-sliced index: term `price:n` holds the listings whose price has bit n. Compares 2,048 prices with a
-- bound at once, from the lowest bit up (O'Neil and Quass, "Improved query performance with variant indexes", 1997).
create function price_at_most(of_chunk integer, bound bigint) returns bit(2048) language plpgsql stable as $$
declare
  everything constant bit(2048) := ~(0::bit(2048));
  result bit(2048) := everything;
  reached integer := 0; -- Slices below this place are dealt with.
  slice record;
begin
  for slice in
    select substr(term, 7)::integer as place, bits from listing_bits
    where chunk = of_chunk and term >= 'price:' and term < 'price;' order by 1
  loop
    -- A slice that is not there has no bit set: a bound that has one is above all that the lower bits could say.
    if (bound >> reached) & ((1::bigint << (slice.place - reached)) - 1) <> 0 then result := everything; end if;
    result := case when (bound >> slice.place) & 1 = 1 then ~slice.bits | result else ~slice.bits & result end;
    reached := slice.place + 1;
  end loop;
  return case when bound >> reached <> 0 then everything else result end;
end $$;
create index listing_bits_price on listing_bits (chunk, term) where term >= 'price:' and term < 'price;';

-- What a search looks through, the strongest places apart: they are read most and must stay narrow.
create table listing_titles (
  ordinal integer primary key references listings on delete cascade,
  title tsvector not null,
  -- Title, subtitle, tags, categories.
  heading tsvector not null
);
create index listing_titles_title on listing_titles using gin (title) with (fastupdate = off);
create index listing_titles_heading on listing_titles using gin (heading) with (fastupdate = off);

create table listing_texts (
  ordinal integer primary key references listings on delete cascade,
  -- Everything above and the description.
  words tsvector not null
);
create index listing_texts_words on listing_texts using gin (words) with (fastupdate = off);

-- Words that occur, or once did: what a mistyped word may have meant.
create table search_words (word text primary key);
create index search_words_similar on search_words using gin (word public.gin_trgm_ops);

-- Words within two typing errors, the nearest first. The threshold is lower than the default 0.3, because two swapped
-- letters in the middle of a short word leave little in common.
create function similar_words(typed text) returns table (word text, distance integer) language sql stable
set pg_trgm.similarity_threshold = 0.2 as $$
  select w.word, public.levenshtein(w.word, public.unaccent(typed)) as distance
  from search_words w
  where w.word operator(public.%) public.unaccent(typed)
    and public.levenshtein_less_equal(w.word, public.unaccent(typed), 2) <= 2
  order by distance, public.similarity(w.word, public.unaccent(typed)) desc, w.word
$$;

-- A SKU that a shopper or a merchant types, or the beginning of one.
create index variants_sku_lower on variants (lower(sku) text_pattern_ops);

-- Units from which a product is among the best-selling tenth; null before they were ever ranked.
create table listing_state (
  only_row boolean primary key default true check (only_row),
  bestseller_units integer
);
insert into listing_state default values;

-- Every category with itself and everything above it, so that a product's branch is one join.
create table category_ancestors (
  slug text not null references categories on delete cascade,
  ancestor text not null references categories on delete cascade,
  primary key (slug, ancestor)
);
create index category_ancestors_ancestor on category_ancestors (ancestor);
insert into category_ancestors
  with recursive above as (
    select slug, slug as ancestor from categories
    union select above.slug, c.parent from above join categories c on c.slug = above.ancestor where c.parent is not null
  ) select slug, ancestor from above;

-- One row for each time a product was put on a wishlist. `removed` stays as a mark, because the news of the removal may
-- come before the news of the saving.
create table product_saves (
  entry_id text primary key,
  product_id text not null,
  removed boolean not null,
  at timestamptz not null
);
create index product_saves_product on product_saves (product_id) where not removed;

-- A chart that changes makes the pages of its products anew.
create index products_size_chart on products ((document->>'sizeChartId')) where document ? 'sizeChartId';

create index daily_sales_day on daily_sales (day);

-- A list needs the slug beside the item.
alter table product_answers add column slug text not null default '';
update product_answers a set slug = p.slug from products p where p.id = a.product_id;
alter table product_answers alter column slug drop default;

-- Lists read listings now; facts that were derived into products are not kept twice.
drop index products_featured, products_search;
alter table variants drop column size;
alter table products drop column rating_average, drop column rating_count, drop column units_sold_30_days,
  drop column in_stock, drop column search;

-- Facets of scopes are computed anew from the bitmaps.
delete from listing_scopes;
