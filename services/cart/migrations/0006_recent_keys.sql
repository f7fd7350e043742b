-- The last changes of the lines that came under an Idempotency-Key: the same one again, sent because nobody knows whether it
-- arrived, changes nothing. In the row, so that the change and its key are one write.
alter table carts add column recent_keys text[] not null default '{}';
