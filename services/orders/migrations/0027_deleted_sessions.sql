-- Ids of checkouts that were deleted. A payment that arrives for one all the same is of this shop, and not of another one with the same
-- account at the provider.
create table deleted_sessions (
  session_id text primary key,
  deleted_at timestamptz not null
);
