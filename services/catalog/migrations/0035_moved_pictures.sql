-- Whether the public address of the shop has changed, and with it the addresses of pictures in the price projection. The
-- refresh then increments the version of the product: only newer facts replace those in Redis and in the memory of carts.
alter table refresh_queue add column moved boolean not null default false;
