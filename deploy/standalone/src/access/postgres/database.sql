-- Without these statements every role may connect, and make temporary tables.
revoke connect, temporary on database {database} from public;
revoke create, usage on schema public from public;
