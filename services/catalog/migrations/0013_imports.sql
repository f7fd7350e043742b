-- What was asked to be imported, and how far it is. Forgotten after thirty days (work-off-imports.ts).
create table import_jobs (
  id text primary key,
  created_at timestamptz not null,
  -- Beats while somebody works on it: a job that is attended by a request and has not beaten for long has lost its service.
  changed_at timestamptz not null,
  finished_at timestamptz,
  actor jsonb not null,
  mode text not null check (mode in ('merge', 'replace')),
  dry_run boolean not null,
  -- A request waits for the end; nobody else may take it up.
  attended boolean not null,
  status text not null check (status in ('receiving', 'queued', 'checking', 'applying', 'done', 'failed', 'cancelled')),
  rows_read integer not null default 0,
  rows_checked integer not null default 0,
  rows_applied integer not null default 0,
  products integer not null default 0,
  failure text,
  issues jsonb not null default '[]',
  issue_count integer not null default 0,
  result jsonb
);
-- The list of imports, the latest first.
create index import_jobs_created on import_jobs (created_at desc, id desc);
-- What there is to do: few rows of many.
create index import_jobs_open on import_jobs (created_at) where finished_at is null;

-- The rows of an import, from their arrival to its end. Unlogged: nothing is lost with them but an upload, and a database
-- that comes back from a crash with none of them says so (run-import.ts).
create unlogged table import_rows (
  job_id text not null references import_jobs on delete cascade,
  type text not null,
  -- Counts the rows of all types in the order of the file.
  place integer not null,
  -- Where it stands in the file, for people: `products.3` or `line 17: data`.
  path text not null,
  -- Slug of products, categories and collections; id of size charts.
  key text,
  -- The slug was made from the title.
  key_made boolean not null default false,
  given_id text,
  -- One element a variant, null where none is given.
  skus text[],
  variant_ids text[],
  -- Categories of a product, products of a collection, product of a review, parent of a category.
  refs text[],
  chart text,
  -- The stored product or review that this row is about; null for a new one.
  stored_id text,
  -- Text, not jsonb: the order of a product's options is the merchant's.
  data json not null,
  primary key (job_id, type, place)
);
-- References between the rows of an import, and rows said twice.
create index import_rows_key on import_rows (job_id, type, key);
create index import_rows_stored on import_rows (job_id, type, stored_id) where stored_id is not null;
