-- Lists are filtered, sorted and counted in an index that every copy of the service holds in memory
-- (docs/decisions/0013). The database keeps what it is made from, and says what changed since.
drop table listing_bits, listing_terms, listing_scopes;
drop function price_at_most(integer, bigint);
drop index listings_featured, listings_newest, listings_price_ascending, listings_price_descending, listings_rating;

-- Listings are made anew from their products before the next request.
delete from listings;
delete from free_ordinals;
alter sequence listing_ordinals restart with 0;
insert into refresh_queue (product_id) select id from products;

-- Names of what a listing can be filtered by; a listing names them by their numbers, which stay the same for ever.
create table listing_terms (
  id integer primary key generated always as identity,
  name text collate "C" not null unique
);

alter table listings
  add column terms integer[] not null,
  -- Of what a search finds it by: to see what a refresh changes.
  add column words_fingerprint text not null;

-- The state that lists are in. Whoever changes listings counts it up first, and by that waits for whoever did so before.
create table listing_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into listing_version (version) values (0);

-- What each version changed, for the last thousand of them; who is further behind reads everything anew.
create table listing_changes (
  version bigint not null,
  ordinal integer not null,
  lost integer[] not null,
  gained integer[] not null,
  -- Whether a search may find it by other words.
  reworded boolean not null,
  primary key (version, ordinal)
);

-- Lists read items, dozens at a time: they stay in their row, where pages are kept apart. 4,096 leaves room for both.
alter table product_answers alter column item set storage main, alter column page set storage external;
alter table product_answers set (toast_tuple_target = 4096);

-- For the badge `bestseller`: who has it, and who sells.
drop index listings_bestselling;
create index listings_showing_bestseller on listings (units_sold) where shows_bestseller;
create index listings_selling on listings (units_sold) where not shows_bestseller and units_sold > 0;

-- Every lexeme that occurs in listing_texts, or once did: those that begin with what a shopper has typed so far.
create table search_lexemes (lexeme text collate "C" primary key);

-- A refresh drops its products from the queue: a bulk write leaves too many rows behind to look through.
create index refresh_queue_product on refresh_queue (product_id);

-- Sets of listings are kept in memory once they were looked up, so that looking up is rare: what is new waits in a list and
-- is sorted in by the hundred, at a fraction of what it costs one by one.
alter index listing_titles_title set (fastupdate = on);
alter index listing_titles_heading set (fastupdate = on);
alter index listing_texts_words set (fastupdate = on);
