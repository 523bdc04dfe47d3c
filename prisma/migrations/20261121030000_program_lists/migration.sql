-- Lists of programs: found by a part of name or code, ordered by name or time, paged by cursor at any depth.

-- The form in which texts are searched: without case and accents. NFKD splits accents off, the expression drops them.
-- It is declared immutable because it is: all that it calls is. The service folds what is searched for the same way.
CREATE FUNCTION "search_form"("name" TEXT, "code" TEXT) RETURNS TEXT
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT lower(regexp_replace(normalize("name" || ' ' || coalesce("code", ''), NFKD), U&'[\0300-\036F]', '', 'g')) $$;

-- pg_trgm comes with PostgreSQL, and whoever owns a database may add it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- On a large table these take a lock on writes while they are built: about 10 seconds for a million programs.
CREATE INDEX "programs_search_idx" ON "programs" USING gin (search_form("name", "code") gin_trgm_ops);
CREATE INDEX "programs_name_id_idx" ON "programs"("name", "id");
CREATE INDEX "programs_created_at_id_idx" ON "programs"("created_at", "id");
CREATE INDEX "programs_updated_at_id_idx" ON "programs"("updated_at", "id");
