-- The one form of an address that accounts are told apart by, that limits count and that mail goes to, beside what was typed
-- (docs/decisions/0055). lower() of the database is not that form: it makes an i of the dotted capital I.

-- The canonical form of a plain address; null for one that takes IDNA or normalization, which identity does itself.
create function plain_email_canonical(email text) returns text language sql immutable parallel safe as $$
  select case
    when email collate "C" ~ '^[!-?A-~]{1,64}@([A-Za-z0-9](-?[A-Za-z0-9])*\.)+[A-Za-z](-?[A-Za-z0-9])*[A-Za-z0-9]$'
    then lower(email collate "C")
  end
$$;

-- Null for a row of an older version until identity has read it, for one whose address cannot be read, and for one whose address
-- an earlier row has: nobody signs in with it, and no mail goes there.
alter table customers add column email_canonical text;
alter table admin_users add column email_canonical text;
alter table former_actors add column email_canonical text;
alter table newsletter_subscribers add column email_canonical text;
alter table newsletter_requests add column email_canonical text;
alter table password_reset_requests add column email_canonical text;
alter table confirmations add column email_canonical text;

-- Of two rows with one address, who showed that mails arrive comes first, and then who was there first.
update customers c set email_canonical = first.canonical
  from (select distinct on (canonical) canonical, id
    from (select id, email_verified_at, created_at, plain_email_canonical(email) as canonical from customers) plain
    where canonical is not null order by canonical, email_verified_at is null, created_at, id) first
  where c.id = first.id;
update admin_users a set email_canonical = first.canonical
  from (select distinct on (canonical) canonical, id
    from (select id, created_at, plain_email_canonical(email) as canonical from admin_users) plain
    where canonical is not null order by canonical, created_at, id) first
  where a.id = first.id;
update newsletter_subscribers s set email_canonical = first.canonical
  from (select distinct on (canonical) canonical, id
    from (select id, confirmed_at, subscribed_at, plain_email_canonical(email) as canonical
      from newsletter_subscribers) plain
    where canonical is not null order by canonical, confirmed_at is null, subscribed_at, id) first
  where s.id = first.id;
update former_actors set email_canonical = plain_email_canonical(email);
update newsletter_requests set email_canonical = plain_email_canonical(email);
update password_reset_requests set email_canonical = plain_email_canonical(email);
-- A link that was sent to any other address opens nothing any more: it is not known where its mail went.
update confirmations set email_canonical = plain_email_canonical(email);

create unique index customers_email_canonical on customers (email_canonical);
create unique index admin_users_email_canonical on admin_users (email_canonical);
create unique index newsletter_subscribers_email_canonical on newsletter_subscribers (email_canonical);
create index confirmations_newsletter_canonical on confirmations (email_canonical) where purpose = 'newsletter';
-- Rows that identity has to read: there are hardly any.
create index customers_unread_email on customers (id) where email_canonical is null;
create index admin_users_unread_email on admin_users (id) where email_canonical is null;
create index newsletter_subscribers_unread_email on newsletter_subscribers (id) where email_canonical is null;

-- By these a look-alike was the same as the address that it looks like.
drop index customers_email;
drop index admin_users_email;
drop index newsletter_subscribers_email;
drop index confirmations_newsletter;

-- Whatever writes a plain address, the version before included, cannot forget its canonical form. A row whose address another one
-- has stays without.
create function set_email_canonical() returns trigger language plpgsql set search_path from current as $$
declare
  canonical text := plain_email_canonical(new.email);
  is_taken boolean;
begin
  if canonical is null or canonical is not distinct from new.email_canonical then
    return new;
  end if;
  execute format('select exists (select from %I where email_canonical = $1 and id <> $2)', tg_table_name)
    into is_taken using canonical, new.id;
  new.email_canonical := case when is_taken then null else canonical end;
  return new;
end
$$;
create trigger set_email_canonical before insert or update of email on customers
  for each row execute function set_email_canonical();
create trigger set_email_canonical before insert or update of email on admin_users
  for each row execute function set_email_canonical();
create trigger set_email_canonical before insert or update of email on newsletter_subscribers
  for each row execute function set_email_canonical();
