-- What a merchant handed over for the shop to work with. Nothing here is of use without SECRETS_KEY.
create table credentials (
  key text primary key,
  -- Null when there is no value: it was taken back, or the shop had no SECRETS_KEY to seal it with.
  sealed text,
  is_set boolean not null,
  updated_at timestamptz not null,
  check (is_set or sealed is null)
);
