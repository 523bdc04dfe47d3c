-- The roles are a list of the service alone: a new one needs no migration, and an unknown one grants nothing. Changes no
-- row: fast at any size.
ALTER TABLE users DROP CONSTRAINT users_role_check;
