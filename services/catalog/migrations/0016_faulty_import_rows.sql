-- Rows that do not fit are staged by their names, so that a file is told all its faults at once: others may refer to them.
alter table import_rows add column faulty boolean not null default false;
