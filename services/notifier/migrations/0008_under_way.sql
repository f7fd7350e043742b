-- The claim asks of each row whether another of its subject is under way. While the statistics know of nothing that is being
-- sent, `status = 'sending'` seems to be found as cheaply in the log by status, where it is all that every endpoint is being
-- sent. Of leased_by no other index knows; a check has it that the two are the same.
drop index deliveries_under_way;
create unique index deliveries_under_way on deliveries (endpoint_id, subject) where leased_by is not null;
