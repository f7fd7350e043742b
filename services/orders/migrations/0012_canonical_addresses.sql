-- The one form of an address that all its spellings share, beside what was typed (docs/decisions/0055). lower() of the database
-- is not that form: it makes an i of the dotted capital I.

-- The canonical form of a plain address; null for one that takes IDNA or normalization, which orders does itself.
create function plain_email_canonical(email text) returns text language sql immutable parallel safe as $$
  select case
    when email collate "C" ~ '^[!-?A-~]{1,64}@([A-Za-z0-9](-?[A-Za-z0-9])*\.)+[A-Za-z](-?[A-Za-z0-9])*[A-Za-z0-9]$'
    then lower(email collate "C")
  end
$$;

-- Null for an order of an older version until orders has read its address, and for one whose address cannot be read.
alter table orders add column email_canonical text;

create function set_email_canonical() returns trigger language plpgsql set search_path from current as $$
begin
  new.email_canonical := coalesce(plain_email_canonical(new.email), new.email_canonical);
  return new;
end
$$;
-- Whatever writes a plain address, the version before included, cannot forget its canonical form.
create trigger set_email_canonical before insert or update of email on orders
  for each row execute function set_email_canonical();

comment on column customer_emails.email is
  'In canonical form. Empty for a proof that does not count any more: the customer has left the address before it all the same.';
