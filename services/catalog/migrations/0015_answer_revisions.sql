-- Which answers a row holds, never the same number for two: a reader that has them in memory need not be sent them again.
create sequence answer_revisions;
alter table product_answers add column revision bigint not null default nextval('answer_revisions');
