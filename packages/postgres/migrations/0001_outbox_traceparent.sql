-- The span that an event was recorded in, as W3C Trace Context writes it: the relay hands it on as a header, so that who hears
-- the event can link to where it comes from. Null, which takes no room, unless that trace is kept.
alter table outbox add column traceparent text;
