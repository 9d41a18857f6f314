-- Strangers make failed attempts: these are deleted by age and by number, and no read of sign-ins passes over them.
create index audit_event_attempt on audit_event (id)
  where kind in ('sign-in-failed', 'password-refused');
create index audit_event_attempt_address on audit_event (address, id)
  where kind in ('sign-in-failed', 'password-refused');
create index audit_event_sign_in on audit_event (account, at)
  where kind in ('account-created', 'signed-in');
