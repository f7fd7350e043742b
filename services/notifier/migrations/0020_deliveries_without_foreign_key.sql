-- A webhook is queued in a transaction that keeps its endpoint from being deleted until its end, and the row of a deleted endpoint stays
-- while it has a log. The check of each webhook was a query and another lock of the endpoint.
lock table endpoints in access exclusive mode;
alter table deliveries drop constraint deliveries_endpoint_id_fkey;
