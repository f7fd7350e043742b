-- Pictures that merchants uploaded. The files lie in a folder or a bucket, below uploads/<id>/; they are written before the
-- row and removed after it, so that a crash leaves files without a row at most, which a sweep removes.
create table media (
  -- From a hash of the uploaded bytes and the way they are encoded: what is uploaded twice is stored once.
  id text primary key,
  name text not null,
  alt text,
  -- [{ width, height, bytes }] of the WebP files, the smallest first.
  sizes jsonb not null,
  -- Of the largest size as JPEG.
  jpeg_bytes integer not null check (jpeg_bytes > 0),
  created_at timestamptz not null
);
-- The list of uploads is read from its newest end, a page at a time.
create index media_newest on media (created_at desc, id desc);
