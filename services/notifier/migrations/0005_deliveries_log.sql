-- Of one subject one delivery is under way at a time, also when an old one is replayed or two copies claim at the same moment.
-- A version before this one could claim two: the later of such a pair goes back, and its answer is noted all the same.
update deliveries d set status = 'waiting', leased_by = null, lease_until = null
where d.status = 'sending' and exists (
  select from deliveries earlier
  where earlier.endpoint_id = d.endpoint_id and earlier.subject = d.subject and earlier.status = 'sending'
    and earlier.seq < d.seq);
create unique index deliveries_under_way on deliveries (endpoint_id, subject) where status = 'sending';

-- The log of one type, newest first.
create index deliveries_log_by_type on deliveries (type, seq desc);
-- The log of a time span, and what of it is sent again, in the order of its creation.
create index deliveries_log_by_time on deliveries (created_at, seq);
