-- Every version of the storefront configuration that was ever in force, who made it and when. `actor` is null where nobody
-- was noted: for an import, and for the version that was in force when this began.
create table settings_versions (
  version bigint primary key,
  document jsonb not null,
  actor text,
  at timestamptz not null default now(),
  -- The version whose content was brought back.
  restored_from bigint
);
comment on table settings_versions is 'append only';
insert into settings_versions (version, document) select version, document from settings where version > 0;
