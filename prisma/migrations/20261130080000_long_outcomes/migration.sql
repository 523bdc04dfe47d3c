-- Whose a long outcome is: those of one user are limited together. Costs nothing on a large table: the column is empty, and
-- so is its index.

ALTER TABLE idempotency_records ADD COLUMN owner bytea;
CREATE INDEX IF NOT EXISTS idempotency_records_owner_idx ON idempotency_records (owner, created_at) WHERE owner IS NOT NULL;
