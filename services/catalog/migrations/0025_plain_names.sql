-- Tables get the names that the code uses. Replicas of the version before still use the old names, which are views
-- that write through. A later migration drops them.
alter table product_answers rename to product_responses;
create view product_answers as select * from product_responses;
alter table answer_format rename to response_format;
create view answer_format as select * from response_format;
alter table bulk_news rename to bulk_event_version;
create view bulk_news as select * from bulk_event_version;
alter index product_answers_pkey rename to product_responses_pkey;
alter table product_responses rename constraint product_answers_product_id_fkey to product_responses_product_id_fkey;
alter index answer_format_pkey rename to response_format_pkey;
alter table response_format rename constraint answer_format_only_row_check to response_format_only_row_check;
alter index bulk_news_pkey rename to bulk_event_version_pkey;
alter table bulk_event_version rename constraint bulk_news_one_row_check to bulk_event_version_one_row_check;
