-- What was last said of a variant's quantity, apart from its stock: a refresh that marked stock rows waited for buyers while
-- other buyers waited for it, and two of them in the other order for ever.
create table announced_quantities (
  variant_id text primary key,
  quantity integer not null
);
insert into announced_quantities select variant_id, announced from stock where announced is not null;
alter table stock drop column announced;
