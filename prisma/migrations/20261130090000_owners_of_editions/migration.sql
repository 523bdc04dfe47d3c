-- Whose an edition is: those of one user are limited together, whatever their name was. Costs nothing on a large table: the
-- column is empty.

ALTER TABLE editions ADD COLUMN owner bytea;
