-- The code that a checkout rejected because its mailbox has used it before. A guest's mailbox is known at the checkout alone:
-- without this, what reads the cart would show the code for ever.
alter table carts add column rejected_code text;
