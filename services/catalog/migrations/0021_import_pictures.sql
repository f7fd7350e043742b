-- Pictures of a product CSV that lie on other servers. They are fetched into the shop's own store before the rows are applied.
-- Unlogged for the same reason as import_rows: nothing is lost with them but an upload.
create unlogged table import_pictures (
  job_id text not null references import_jobs on delete cascade,
  url text not null,
  -- Counts the pictures in the order of the file.
  place integer not null,
  -- Where it stands in the file, for people: `row 17: Image Src`.
  path text not null,
  -- What was fetched: { id, width, height }, and { stored: { name, sizes, jpegBytes } } when this import wrote its files. The row
  -- in media is written with the products.
  media jsonb,
  -- Why it cannot be used, as the end of a sentence.
  fault text,
  primary key (job_id, url)
);

alter table import_jobs
  add column pictures integer not null default 0,
  add column pictures_fetched integer not null default 0,
  -- The process that fetches them, while changed_at is recent.
  add column picture_worker text,
  -- Columns of a product CSV for which a product has no place.
  add column columns_not_taken text[] not null default '{}';
alter table import_jobs drop constraint import_jobs_status_check;
alter table import_jobs add constraint import_jobs_status_check check (
  status in ('receiving', 'fetching', 'queued', 'checking', 'applying', 'done', 'failed', 'cancelled'));

-- Names of fields in the file, such as { "variants.1.sku": "row 3: Variant SKU" }, where they are not those of the contract.
alter table import_rows
  add column cells jsonb,
  -- Fields of a product that the file cannot say: what is stored of them stays.
  add column keeps text[] not null default '{}';
