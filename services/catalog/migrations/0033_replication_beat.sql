-- The time of the primary, one row, written every second while public pages are read from standbys: a standby that has an old
-- one is behind, or has lost its primary (docs/decisions/0099).
create table replication_beat (at timestamptz not null);
insert into replication_beat (at) values ('-infinity');
