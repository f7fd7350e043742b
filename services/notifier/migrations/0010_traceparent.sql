-- Of the span that queued it (W3C Trace Context), for the trace of an attempt to link to; null unless that trace is kept.
alter table deliveries add column traceparent text;
alter table mails add column traceparent text;
