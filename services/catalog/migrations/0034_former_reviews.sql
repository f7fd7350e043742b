-- Reviews of accounts that were deleted: their ids and nothing else. Kept for good, because a file from before a deletion can
-- be imported at any time, and must not bring the name back, whatever became of the review.
create table former_reviews (review_id text primary key);
insert into former_reviews (review_id)
select id from reviews where author = 'A former customer' and customer_id is null;
