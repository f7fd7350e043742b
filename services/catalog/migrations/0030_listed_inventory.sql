-- How many units of a variant could be bought when its product was last refreshed, moments after the last sale: what the
-- list of low stock is sorted by. Here and not in `stock`: an index on what every sale changes would end its updates in place.
-- Null until the first refresh, or by the previous version of the service.
alter table variants add column listed_inventory integer;
update variants v set listed_inventory = s.on_hand - s.reserved from stock s where s.variant_id = v.id;
-- The pages of the list in their order, from the lowest quantity on, and how many there are.
create index variants_low_stock on variants (listed_inventory, sku);
