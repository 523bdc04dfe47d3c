-- The branches that were changed last, without reading all of them.
-- On a large table it takes a lock on writes while it is built: about a second for a million branches.
CREATE INDEX "branches_updated_at_id_idx" ON "branches"("updated_at", "id");
