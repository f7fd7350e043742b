-- Until when replicas that make other responses than the newest one leave the refresh queue to it: from then on those of the
-- version before should have ended, and every product is queued once more, for what they stored in the meantime. Null when
-- that is done.
alter table response_format add column renew_again_at timestamptz;
-- Whether those products are queued with moved pictures.
alter table response_format add column moved boolean not null default false;
