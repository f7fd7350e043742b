-- What came of an import that holds discounts. They take effect together, when all parts are there.
create table discount_imports (
  -- Counts imports in the order in which they were committed.
  number bigint primary key,
  import_id text not null,
  mode text not null check (mode in ('merge', 'replace')),
  parts integer not null,
  at timestamptz not null,
  applied_at timestamptz
);

create table discount_import_parts (
  number bigint not null references discount_imports on delete cascade,
  part integer not null,
  discounts jsonb not null,
  primary key (number, part)
);

-- The import that wrote the discount last: an earlier one that is heard after it leaves it alone. Null when a merchant made it.
alter table discounts add column import_number bigint;
