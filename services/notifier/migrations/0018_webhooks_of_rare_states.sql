-- The log by state has no entries of what nearly every row is, delivered, and of the state on the way there. The log of all rows finds
-- those. Every change of a row wrote its entry again: 2 of the 26 entries of a webhook.
drop index deliveries_log_by_status;
create index deliveries_log_by_status on deliveries (status, seq desc)
  where status in ('queued', 'waiting', 'dead', 'superseded');
