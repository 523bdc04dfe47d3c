-- Indexes for the filters of the audit log by actor, time and rare actions, at the same cost however long the log is.
-- The other actions are found among the newest entries.
--
-- Cost: writes to "audit_entries" are locked while the indexes are built, about three seconds per million entries. On a
-- large log, run each beforehand as CREATE INDEX CONCURRENTLY IF NOT EXISTS.

CREATE INDEX IF NOT EXISTS "audit_entries_actor_id_idx" ON "audit_entries"("actor", "id");
CREATE INDEX IF NOT EXISTS "audit_entries_at_id_subject_idx" ON "audit_entries"("at", "id", "subject");
CREATE INDEX IF NOT EXISTS "audit_entries_rare_action_id_idx" ON "audit_entries"("action", "id")
    WHERE "action" NOT IN ('create', 'update', 'delete');
DROP INDEX "audit_entries_at_subject_idx";

-- The triggers find their functions whatever the search_path of the session: a dump of data alone (pg_dump --data-only)
-- is restored with an empty one. What they call inherits theirs. This locks and rewrites no table.

ALTER FUNCTION "log_programs"() SET search_path FROM CURRENT;
ALTER FUNCTION "log_branches"() SET search_path FROM CURRENT;
ALTER FUNCTION "log_branch_years"() SET search_path FROM CURRENT;
ALTER FUNCTION "log_everything"() SET search_path FROM CURRENT;
ALTER FUNCTION "log_access"() SET search_path FROM CURRENT;
ALTER FUNCTION "fold_before_removal"() SET search_path FROM CURRENT;
