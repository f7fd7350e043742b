-- Recipients are kept in the one form that all spellings of an address share (docs/decisions/0055). Folded are A to Z: what lower() of
-- the database makes of other letters may be another address. Addresses of older mails that are not plain stay as they were.
update mails set recipient = lower(recipient collate "C")
  where recipient collate "C" ~ '^[!-?A-~]{1,64}@([A-Za-z0-9](-?[A-Za-z0-9])*\.)+[A-Za-z](-?[A-Za-z0-9])*[A-Za-z0-9]$'
    and recipient collate "C" ~ '[A-Z]';
create index mails_by_canonical_recipient on mails (recipient, seq desc) where recipient <> '';
drop index mails_by_recipient;
