-- The check of receipts reads what was published in a span, and events that were published again have a low id and a late
-- time. A migration of its own: the inbox is not locked while the index is built.
create index sent_events_sent on sent_events (sent_at);
