-- An index of the audit log by time, for its filter and for the number of changes per day, which is counted in it alone.
--
-- Cost: writes to "audit_entries" are locked while the index is built, about a second per million entries. On a large
-- log, run it beforehand as CREATE INDEX CONCURRENTLY IF NOT EXISTS.

CREATE INDEX IF NOT EXISTS "audit_entries_at_subject_idx" ON "audit_entries"("at", "subject");
