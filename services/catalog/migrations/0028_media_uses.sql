-- Uploads that a product shows, anywhere in its document, so that the media library can list unused ones and say where one is
-- used without reading every product.
create table media_uses (
  media_id text not null,
  product_id text not null references products on delete cascade,
  primary key (media_id, product_id)
);
-- For a change or a deletion of a product.
create index media_uses_product on media_uses (product_id);

-- The ids of uploads in a text: each of their addresses has one. Split, because a regular expression takes twice as long.
create function uploads_in(content text) returns setof text language sql immutable parallel safe as $$
  select distinct left(part, 36) from unnest(string_to_array(content, '/uploads/')) as parts (part)
  where part ~ '^med_[0-9a-f]{32}'
$$;

-- Triggers, because replicas of the version before save products too. One for all products of an import.
create function add_media_uses() returns trigger language plpgsql set search_path from current as $$
begin
  insert into media_uses (media_id, product_id)
  select upload, saved.id from saved, uploads_in(saved.document::text) as upload on conflict do nothing;
  return null;
end $$;
create trigger add_media_uses after insert on products referencing new table as saved
  for each statement execute function add_media_uses();

create function change_media_uses() returns trigger language plpgsql set search_path from current as $$
declare
  uploads text[] := array(select uploads_in(new.document::text));
begin
  delete from media_uses where product_id = new.id and media_id <> all(uploads);
  insert into media_uses (media_id, product_id) select unnest(uploads), new.id on conflict do nothing;
  return null;
end $$;
create trigger change_media_uses after update of document on products
  for each row when (old.document is distinct from new.document) execute function change_media_uses();

insert into media_uses (media_id, product_id)
select upload, p.id from products p, uploads_in(p.document::text) as upload;
