-- In a transaction of its own, so that checkouts go on meanwhile. Changes of orders that are there already wait for it.
update orders set email_canonical = plain_email_canonical(email);
