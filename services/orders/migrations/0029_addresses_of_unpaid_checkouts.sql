-- Unpaid checkouts of guests, by the address as orders compares it (docs/decisions/0055), for a guest whose data is deleted. Checkouts that
-- became orders are kept for good, and are found by their orders. Addresses that take IDNA or normalization are the nulls of this index: orders
-- reads these few itself.
create index payment_sessions_guests on payment_sessions (plain_email_canonical(email))
  where customer_id is null and status <> 'completed';
-- The reconciliation reads the refunds of three days every five minutes.
create index refunds_settled on refunds (settled_at) where settled_at is not null;
