-- For which host the password of the mail server was handed over, and when: no other host gets it. Never the password.
create table smtp_password (
  only_row boolean primary key check (only_row),
  given_at timestamptz not null,
  host text not null
);
