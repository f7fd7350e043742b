-- The published reviews of each product, counted: counting 50,000 for every request takes 34 ms, and 7 ms from an index made
-- for it. Whoever changes what is published counts the product anew (reviews.queries.ts). No row: never reviewed.
create table review_counts (
  product_id text primary key references products on delete cascade,
  -- Reviews with one star, with two, up to five.
  stars integer[] not null check (cardinality(stars) = 5),
  fit_small integer not null,
  fit_true integer not null,
  fit_large integer not null,
  with_photos integer not null
);
insert into review_counts (product_id, stars, fit_small, fit_true, fit_large, with_photos)
  select product_id,
    array[count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
      count(*) filter (where rating = 4), count(*) filter (where rating = 5)],
    count(*) filter (where fit = 'small'), count(*) filter (where fit = 'true'), count(*) filter (where fit = 'large'),
    count(*) filter (where photos <> '[]')
  from reviews where published group by product_id;

-- The whole order of the list: an import that names no dates gives all its reviews one date, and the index on the date alone
-- then sorts every one of them for each page. A deep page walks the index without touching the reviews before it.
drop index reviews_product;
create index reviews_product on reviews (product_id, created_at desc, verified desc, id) where published;
