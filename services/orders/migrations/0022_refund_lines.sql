-- The pieces that a refund is for (docs/decisions/0085): ids of lines of the order, how many of each, what was paid for them, whether they
-- are to be returned to the stock, and how many were. Null for a refund of an amount alone.
alter table refunds add column lines jsonb;
