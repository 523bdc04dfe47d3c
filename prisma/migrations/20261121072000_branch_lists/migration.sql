-- Indexes for lists of branches: substring search by name, ordering by name or time, cursor pagination at any depth.
--
-- Cost: writes to "branches" are locked while the indexes are built, about 15 seconds per million branches; each write
-- of a branch updates three more indexes.

CREATE INDEX "branches_search_idx" ON "branches" USING gin (search_fold("name") gin_trgm_ops);
CREATE INDEX "branches_name_id_idx" ON "branches"("name", "id");
CREATE INDEX "branches_created_at_id_idx" ON "branches"("created_at", "id");
