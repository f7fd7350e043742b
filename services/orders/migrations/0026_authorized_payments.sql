-- Payments whose money is still to come, such as bank debits: reconciliation looks them up again until they are decided.
create index payments_authorized on payments (session_id) where status = 'authorized';
