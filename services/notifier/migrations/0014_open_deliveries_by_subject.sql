-- For each due delivery a claim looks for others of its subject. A table that was not analyzed yet has no statistics, and then
-- PostgreSQL takes each endpoint for rare: when one of these indexes had grown by a page, it read the whole log of the endpoint instead,
-- a million pages for one claim after a minute of 100 purchases a second. With the subject first, and the endpoint compared as
-- an expression, no index of the log fits.
drop index deliveries_open;
create index deliveries_open on deliveries (subject, seq) where status in ('queued', 'sending', 'waiting');
drop index deliveries_under_way;
create unique index deliveries_under_way on deliveries (subject, endpoint_id) where leased_by is not null;
drop index deliveries_version;
create index deliveries_version on deliveries (subject, version) where version is not null;
