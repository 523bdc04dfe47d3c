-- Indexes for lists of deleted programs and branches, which would otherwise be searched for among all. Only deleting
-- and restoring write to them.
--
-- Cost: writes to each table are locked while it is read once. Operators of large tables create the same indexes
-- beforehand with CREATE INDEX CONCURRENTLY.

CREATE INDEX IF NOT EXISTS "programs_deleted_at_id_idx" ON "programs"("deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX IF NOT EXISTS "branches_deleted_at_id_idx" ON "branches"("deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
