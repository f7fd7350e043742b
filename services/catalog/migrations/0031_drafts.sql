-- The drafts, of which a shop has few: how many each category has is counted for every merchant who opens the products.
create index merchant_listings_drafts on merchant_listings (product_id) where not published;
