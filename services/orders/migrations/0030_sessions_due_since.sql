-- The deadline of a checkout that could not be ended because its provider did not respond: each attempt moves expires_at. Null before the
-- first attempt.
alter table payment_sessions add column due_since timestamptz;
