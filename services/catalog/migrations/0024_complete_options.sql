-- A variant may choose only what its product offers, which was not checked before: products get the options and values that
-- their variants have beside their own, so that none of them is rejected when it is saved the next time.
with chosen as (
  select v.product_id, o.key as name, o.value, min(v.position) as place
  from variants v cross join lateral jsonb_each_text(v.options) o
  group by 1, 2, 3
), missing as (
  select c.product_id, c.name, min(c.place) as place, jsonb_agg(c.value order by c.place, c.value) as values
  from chosen c join products p on p.id = c.product_id
  where not exists (
    select 1 from jsonb_array_elements(p.document->'options') o
    where o->>'name' = c.name and o->'values' ? c.value)
  group by 1, 2
), completed as (
  select p.id, (
      select coalesce(jsonb_agg(
        case when m.name is null then o.option
          else jsonb_set(o.option, '{values}', (o.option->'values') || m.values) end order by o.nth), '[]')
      from jsonb_array_elements(p.document->'options') with ordinality as o (option, nth)
        left join missing m on m.product_id = p.id and m.name = o.option->>'name'
    ) || (
      select coalesce(jsonb_agg(jsonb_build_object('name', m.name, 'values', m.values) order by m.place, m.name), '[]')
      from missing m
      where m.product_id = p.id
        and not exists (select 1 from jsonb_array_elements(p.document->'options') o where o->>'name' = m.name)
    ) as options
  from products p where p.id in (select product_id from missing)
)
update products p set document = jsonb_set(p.document, '{options}', c.options) from completed c where c.id = p.id;
