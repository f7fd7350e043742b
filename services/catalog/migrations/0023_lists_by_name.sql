-- What lists are sorted by when they are sorted by name.
alter table listings add column title text not null default '';
update listings l set title = p.title from products p where p.id = l.product_id;
