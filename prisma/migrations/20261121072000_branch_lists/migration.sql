-- Lists of branches: found by a part of the name, ordered by name or time, paged by cursor at any depth.
--
-- What it costs: a lock on writes to "branches" while the indexes are built, about 15 seconds for a million branches, and
-- three more entries in indexes for each branch that is written.

CREATE INDEX "branches_search_idx" ON "branches" USING gin (search_fold("name") gin_trgm_ops);
CREATE INDEX "branches_name_id_idx" ON "branches"("name", "id");
CREATE INDEX "branches_created_at_id_idx" ON "branches"("created_at", "id");
