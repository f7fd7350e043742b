-- What a merchant finds orders by, and the counts that keep lookups from being guessed.

-- What a search looks at, one narrow row an order: beside its words what else the list is filtered and sorted by. Apart from
-- `orders`, so that a change of an order's status does not write its words again, and with room for such changes.
create table order_search (
  order_id text primary key references orders on delete cascade,
  flagged boolean not null,
  placed_at timestamptz not null,
  status text not null,
  -- Made by src/search/words.ts.
  words tsvector not null
) with (fillfactor = 85);
-- Orders come faster than merchants search: new ones wait in a list that is sorted in when it is long enough.
create index order_search_words on order_search using gin (words) with (gin_pending_list_limit = 1024);

-- Orders whose words are to be made, or made anew: to make them takes longer than all else of placing an order, and no buyer
-- waits for it. Rows are added without looking whether one is there: a unique row would make writers wait for the worker.
create table order_search_queue (
  id bigint generated always as identity primary key,
  order_id text not null
);

create function queue_order_search() returns trigger language plpgsql set search_path from current as $$
begin
  insert into order_search_queue (order_id) values (new.id);
  return null;
end
$$;
create function keep_order_search_status() returns trigger language plpgsql set search_path from current as $$
begin
  -- The worker reads an order under a lock: where there is no row yet, it is going to write the new status itself.
  update order_search set flagged = new.attention is not null, placed_at = new.placed_at, status = new.status
  where order_id = new.id;
  return null;
end
$$;
-- Whoever writes an order cannot forget what it is found by.
create trigger queue_order_search after insert on orders for each row execute function queue_order_search();
create trigger queue_changed_order_search after update of number, email, document, payment_reference, tracking on orders
  for each row when ((new.number, new.email, new.document, new.payment_reference, new.tracking) is distinct from
    (old.number, old.email, old.document, old.payment_reference, old.tracking))
  execute function queue_order_search();
create trigger keep_order_search_status after update of status, attention, placed_at on orders for each row
  when ((new.status, new.attention, new.placed_at) is distinct from (old.status, old.attention, old.placed_at))
  execute function keep_order_search_status();
insert into order_search_queue (order_id) select id from orders order by placed_at;

-- The merchant's list: what needs attention first, then the newest. `include` lets it be read without the table.
create index orders_list on orders ((attention is not null), placed_at, id) include (attention);
create index orders_list_by_status on orders (status, (attention is not null), placed_at, id) include (attention);

-- Numbers are typed in any case, and one index of them is enough: each costs every order. Until the version before is gone,
-- it looks numbers up without one.
alter table orders drop constraint orders_number_key;
create unique index orders_number on orders (lower(number));

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
