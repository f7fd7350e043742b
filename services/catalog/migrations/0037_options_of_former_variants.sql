-- The options of a deleted variant: other options may make the same SKU, because letters that a SKU cannot have are left out. Null
-- in older rows.
alter table former_variants add column options jsonb;
