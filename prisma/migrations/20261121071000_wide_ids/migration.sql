-- Audit entries (one per change) and years of branches (up to ten per branch) would be the first to run out of 32-bit
-- identifiers.
--
-- Cost: both tables are rewritten under an ACCESS EXCLUSIVE lock, which blocks reads too: about 2 seconds per million
-- rows, and their size on disk once more until the migration ends. On a large catalog, run it at a quiet time.

ALTER TABLE "audit_entries" ALTER COLUMN "id" TYPE BIGINT;
ALTER SEQUENCE "audit_entries_id_seq" AS BIGINT;

ALTER TABLE "branch_years" ALTER COLUMN "id" TYPE BIGINT;
-- The API exposes the identifier of a year as a signed 32-bit number, hence this maximum.
ALTER SEQUENCE "branch_years_id_seq" AS BIGINT MAXVALUE 4294967295;
