-- Entries of the audit log, one for each change, and years of branches, up to ten for each branch, would be the first to
-- run out of 32-bit identifiers.
--
-- What it costs: both tables are written anew, under a lock that reads wait for too: about 2 seconds for each million of
-- rows, and as much space on disk as they take until the migration ends. On a large catalog, choose the moment.

ALTER TABLE "audit_entries" ALTER COLUMN "id" TYPE BIGINT;
ALTER SEQUENCE "audit_entries_id_seq" AS BIGINT;

ALTER TABLE "branch_years" ALTER COLUMN "id" TYPE BIGINT;
-- The service shows the identifier of a year as a signed number of 32 bits, which tells so many apart.
ALTER SEQUENCE "branch_years_id_seq" AS BIGINT MAXVALUE 4294967295;
