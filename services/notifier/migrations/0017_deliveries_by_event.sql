-- For each new delivery its event is looked up. With the endpoint first, the indexes of the log fit as well, and a plan that
-- was made while the table was small read all deliveries of the endpoint for each event. So the statement was planned again
-- each time. With the event first no other index fits, and one plan serves for tables of any size.
drop index deliveries_event;
create unique index deliveries_event on deliveries (event_id, endpoint_id);
