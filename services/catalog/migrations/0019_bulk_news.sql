-- Numbers what is said once of many products: of two such writes the one that commits later has the higher number, whatever
-- the clocks say, because the row stays locked until the commit. Who hears of a lower one takes it for old news. One row.
create table bulk_news (
  one_row boolean primary key default true check (one_row),
  version bigint not null default 0
);
insert into bulk_news default values;
