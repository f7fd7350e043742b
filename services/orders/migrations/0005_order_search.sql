-- What a merchant finds orders by, and the counts that keep lookups from being guessed.

-- Trusted: the owner of the database may create it, and catalog may have been first.
create extension if not exists unaccent with schema public;

-- Words as they are compared: without accents and case, and without punctuation at their ends.
create function order_chunks(written text) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(distinct left(chunk, 100)) filter (where chunk <> ''), '{}')
  from (
    select btrim(each, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~') as chunk
    from regexp_split_to_table(lower(public.unaccent(normalize(written, NFKC))), '\s+') as each) as chunks
$$;

-- The same, and what begins within each: SF-10001 is found by 10001 as well, ada@mail.example by mail.example.
create function order_words(written text) returns tsvector language sql stable parallel safe as $$
  with chunks as materialized (select unnest(order_chunks(written)) as chunk),
    -- Few have anything within them, and looking for it costs most: an order takes 0.4 ms, and 0.9 with all of them.
    composed as materialized (select chunk from chunks where chunk ~ '[!-/:-@[-^`{-~]')
  select coalesce(array_to_tsvector(array_agg(distinct word)), '') from (
    select chunk as word from chunks union all
    select substr(chunk, place) from composed cross join lateral generate_series(2, length(chunk)) as place
    where strpos('!"#$%&''()*+,-./:;<=>?@[\]^`{|}~', substr(chunk, place - 1, 1)) > 0
      and strpos('!"#$%&''()*+,-./:;<=>?@[\]^`{|}~', substr(chunk, place, 1)) = 0) as words
$$;

-- The words of a search as the index takes them: an order has to have each, or one that begins with it. Null without words.
create function order_query(typed text) returns tsquery language sql stable parallel safe as $$
  select string_agg('''' || replace(replace(chunk, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery
  from unnest(order_chunks(typed)) as chunk
$$;

-- What a search looks at, one narrow row an order: beside its words what else the list is filtered and sorted by. Apart from
-- `orders`, so that a change of an order's status does not write its words again, and with room for such changes.
create table order_search (
  order_id text primary key references orders on delete cascade,
  flagged boolean not null,
  placed_at timestamptz not null,
  status text not null,
  words tsvector not null
) with (fillfactor = 85);
-- Orders come faster than merchants search: new ones wait in a list that is sorted in when it is long enough.
create index order_search_words on order_search using gin (words) with (gin_pending_list_limit = 1024);

create function words_of_order(id text, number text, email text, document jsonb, payment_reference text, tracking jsonb)
returns tsvector language sql stable parallel safe as $$
  select order_words(concat_ws(' ', number, id, email, document #>> '{shippingAddress,name}',
    (select string_agg(concat_ws(' ', line ->> 'title', line ->> 'variantId'), ' ')
      from jsonb_array_elements(document -> 'lines') as line),
    document #>> '{discountCode,code}', payment_reference, tracking ->> 'code'))
$$;
create function keep_order_search() returns trigger language plpgsql set search_path from current as $$
begin
  insert into order_search (order_id, flagged, placed_at, status, words)
  values (new.id, new.attention is not null, new.placed_at, new.status,
    words_of_order(new.id, new.number, new.email, new.document, new.payment_reference, new.tracking))
  on conflict (order_id) do update set words = excluded.words where order_search.words <> excluded.words;
  return null;
end
$$;
create function keep_order_search_status() returns trigger language plpgsql set search_path from current as $$
begin
  update order_search set flagged = new.attention is not null, placed_at = new.placed_at, status = new.status
  where order_id = new.id;
  return null;
end
$$;
-- Whoever writes an order cannot forget what it is found by.
create trigger keep_order_search after insert or update of number, email, document, payment_reference, tracking on orders
  for each row execute function keep_order_search();
create trigger keep_order_search_status after update of status, attention, placed_at on orders for each row
  when ((new.status, new.attention, new.placed_at) is distinct from (old.status, old.attention, old.placed_at))
  execute function keep_order_search_status();
insert into order_search (order_id, flagged, placed_at, status, words)
select id, attention is not null, placed_at, status,
  words_of_order(id, number, email, document, payment_reference, tracking) from orders;

-- The merchant's list: what needs attention first, then the newest. `include` lets it be read without the table.
create index orders_list on orders ((attention is not null), placed_at, id) include (attention);
create index orders_list_by_status on orders (status, (attention is not null), placed_at, id) include (attention);

-- Numbers are typed in any case.
create index orders_number_any_case on orders (lower(number));

-- Tries to look an order up, counted before anybody looks whether they are right (docs/decisions/0019).
create table attempts (
  kind text not null check (kind in ('lookup')),
  -- SHA-256 of the number or id as it was typed; there need be no such order.
  subject text not null,
  tried_at timestamptz[] not null,
  refusals integer not null,
  last_at timestamptz not null,
  primary key (kind, subject)
);
-- The clean-up reads by age.
create index attempts_last_at on attempts (last_at);
