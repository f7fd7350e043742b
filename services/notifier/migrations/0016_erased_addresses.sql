-- Addresses of erased guests and deleted accounts, by a hash: events about their orders may arrive after the deletion, and
-- must cause no mail.
create table erased_addresses (
  address_hash bytea primary key,
  erased_at timestamptz not null
);
