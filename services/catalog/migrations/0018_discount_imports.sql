-- Imports that hold discounts are numbered in the order in which they are committed, without a gap: cart, which keeps the
-- discounts, may hear of them in any order. One row.
create table discount_imports (
  one_row boolean primary key default true check (one_row),
  last_number bigint not null default 0
);
insert into discount_imports default values;

-- The file speaks of discounts, and be it to say that there are none.
alter table import_jobs add column says_discounts boolean not null default false;
