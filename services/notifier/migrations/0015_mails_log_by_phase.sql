-- The log of mails with one status, newest first: the console reads the newest failed one every half minute.
create index mails_log_by_phase on mails (phase, seq desc);
