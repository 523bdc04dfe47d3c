-- What changed in the catalog, one row a transaction, in the order of commits: for those who follow it live, and
-- those who come back and catch up. Triggers write it, so that a change made in psql, by an import or by another
-- service is there too. Rows are removed after a day.
--
-- What it costs: a row for each transaction that changes the catalog, written again at its end, and the wait for the
-- one that commits before it; that wait is there already, for the notices that all such transactions send.
-- Making the table and the triggers takes a lock on each table for a moment and reads no row, however large it is.

-- CreateTable
CREATE TABLE "catalog_log" (
    "id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "records" JSONB,
    "programs" JSONB,

    CONSTRAINT "catalog_log_pkey" PRIMARY KEY ("id")
);

-- The order of commits. A number is drawn when a transaction ends, under a lock that it keeps until it has committed:
-- whoever sees a number sees all smaller ones that there will ever be. Were it drawn earlier, a transaction could
-- commit behind the back of a reader who has seen a larger one.
CREATE SEQUENCE "catalog_log_order" OWNED BY "catalog_log"."id";

-- Whoever may change the catalog writes the log, with the rights of its owner.
CREATE FUNCTION "enter_catalog_log"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(x'75617334'::integer);
    UPDATE "catalog_log" SET "id" = nextval('catalog_log_order'), "at" = clock_timestamp() WHERE "id" = NEW."id";
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "catalog_log_ends" AFTER INSERT ON "catalog_log"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "enter_catalog_log"();

-- Adds to the row of this transaction, which is found by minus the transaction's number until that ends. More than
-- 100 records are not told one by one, nor more than 200 programs: null stands for all, and nothing is added to it.
CREATE FUNCTION "add_to_catalog_log"("new_records" jsonb, "new_programs" jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "catalog_log" AS "entry" ("id", "records", "programs")
    VALUES (-(pg_current_xact_id()::text::bigint), "new_records", "new_programs")
    ON CONFLICT ("id") DO UPDATE SET
        "records" = CASE WHEN jsonb_array_length("entry"."records" || "new_records") <= 100
            THEN "entry"."records" || "new_records" END,
        "programs" = (SELECT CASE WHEN count(*) <= 200 THEN jsonb_agg("program" ORDER BY "program") END
            FROM (SELECT DISTINCT jsonb_array_elements("entry"."programs" || "new_programs") AS "program") AS "touched")
    WHERE "entry"."programs" IS NOT NULL;
END
$$;

-- Logs what one statement did: three arrays of the same length.
CREATE FUNCTION "log_catalog_changes"("kind" text, "actions" text[], "ids" integer[], "programs" integer[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF "ids" IS NULL THEN
        RETURN;
    END IF;
    PERFORM "add_to_catalog_log"(
        (SELECT jsonb_agg(jsonb_build_object('kind', "kind", 'action', "action", 'id', "id", 'programId', "program"))
            FROM unnest("actions", "ids", "programs") AS "changed" ("action", "id", "program")
            WHERE cardinality("ids") <= 100),
        (SELECT CASE WHEN count(*) <= 200 THEN jsonb_agg("program" ORDER BY "program") END
            FROM (SELECT DISTINCT unnest("programs") AS "program" LIMIT 201) AS "touched"));
END
$$;

-- What happened to a record that was there before or not, and is there after or not. One that is deleted is not
-- there; to bring it back creates it, for those who look on.
CREATE FUNCTION "catalog_action"("before" boolean, "after" boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN "before" AND "after" THEN 'UPDATED' WHEN "after" THEN 'CREATED' WHEN "before" THEN 'DELETED' END
$$;

CREATE FUNCTION "log_programs"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "actions" text[];
    "ids" integer[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg('CREATED'::text), array_agg("id") INTO "actions", "ids" FROM "new_rows" WHERE "deleted_at" IS NULL;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg('DELETED'::text), array_agg("id") INTO "actions", "ids" FROM "old_rows" WHERE "deleted_at" IS NULL;
    ELSE
        SELECT array_agg("action"), array_agg("id") INTO "actions", "ids" FROM (
            SELECT "id", "catalog_action"(
                "before"."id" IS NOT NULL AND "before"."deleted_at" IS NULL,
                "after"."id" IS NOT NULL AND "after"."deleted_at" IS NULL
            ) AS "action"
            FROM "old_rows" AS "before" FULL JOIN "new_rows" AS "after" USING ("id")
            WHERE "before" IS DISTINCT FROM "after" ORDER BY "id"
        ) AS "changed" WHERE "action" IS NOT NULL;
    END IF;
    PERFORM "log_catalog_changes"('PROGRAM', "actions", "ids", "ids");
    RETURN NULL;
END
$$;

-- A branch that moves is deleted in one program and created in the other.
CREATE FUNCTION "log_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "actions" text[];
    "ids" integer[];
    "programs" integer[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg('CREATED'::text), array_agg("id"), array_agg("program_id") INTO "actions", "ids", "programs"
        FROM "new_rows" WHERE "deleted_at" IS NULL;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg('DELETED'::text), array_agg("id"), array_agg("program_id") INTO "actions", "ids", "programs"
        FROM "old_rows" WHERE "deleted_at" IS NULL;
    ELSE
        SELECT array_agg("action"), array_agg("id"), array_agg("program_id") INTO "actions", "ids", "programs" FROM (
            SELECT "id", "program_id", "catalog_action"(
                "before"."id" IS NOT NULL AND "before"."deleted_at" IS NULL,
                "after"."id" IS NOT NULL AND "after"."deleted_at" IS NULL
            ) AS "action"
            FROM "old_rows" AS "before" FULL JOIN "new_rows" AS "after" USING ("id", "program_id")
            WHERE "before" IS DISTINCT FROM "after" ORDER BY "id"
        ) AS "changed" WHERE "action" IS NOT NULL;
    END IF;
    PERFORM "log_catalog_changes"('BRANCH', "actions", "ids", "programs");
    RETURN NULL;
END
$$;

-- The years of a branch are a part of it. Each branch is looked up by its key (OFFSET keeps that so): a join would be
-- planned once, for the first statement of a connection, and could then read all branches for every small one.
CREATE FUNCTION "log_branch_years"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "touched" integer[];
    "actions" text[];
    "ids" integer[];
    "programs" integer[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        "touched" := ARRAY(SELECT DISTINCT "branch_id" FROM "new_rows" ORDER BY "branch_id");
    ELSIF TG_OP = 'DELETE' THEN
        "touched" := ARRAY(SELECT DISTINCT "branch_id" FROM "old_rows" ORDER BY "branch_id");
    ELSE
        "touched" := ARRAY(SELECT "branch_id" FROM "old_rows" UNION SELECT "branch_id" FROM "new_rows" ORDER BY "branch_id");
    END IF;
    SELECT array_agg('UPDATED'::text), array_agg("id"), array_agg("program_id") INTO "actions", "ids", "programs"
    FROM unnest("touched") AS "branch" ("id") CROSS JOIN LATERAL (
        SELECT "program_id" FROM "branches" WHERE "branches"."id" = "branch"."id" AND "deleted_at" IS NULL OFFSET 0
    ) AS "found";
    PERFORM "log_catalog_changes"('BRANCH', "actions", "ids", "programs");
    RETURN NULL;
END
$$;

CREATE FUNCTION "log_truncated"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "add_to_catalog_log"(NULL, NULL);
    RETURN NULL;
END
$$;

CREATE TRIGGER "programs_log_insert" AFTER INSERT ON "programs"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_programs"();
CREATE TRIGGER "programs_log_update" AFTER UPDATE ON "programs"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_programs"();
CREATE TRIGGER "programs_log_delete" AFTER DELETE ON "programs"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_programs"();
CREATE TRIGGER "programs_log_truncate" AFTER TRUNCATE ON "programs"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_truncated"();

CREATE TRIGGER "branches_log_insert" AFTER INSERT ON "branches"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branches"();
CREATE TRIGGER "branches_log_update" AFTER UPDATE ON "branches"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branches"();
CREATE TRIGGER "branches_log_delete" AFTER DELETE ON "branches"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branches"();
CREATE TRIGGER "branches_log_truncate" AFTER TRUNCATE ON "branches"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_truncated"();

CREATE TRIGGER "branch_years_log_insert" AFTER INSERT ON "branch_years"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branch_years"();
CREATE TRIGGER "branch_years_log_update" AFTER UPDATE ON "branch_years"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branch_years"();
CREATE TRIGGER "branch_years_log_delete" AFTER DELETE ON "branch_years"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branch_years"();
CREATE TRIGGER "branch_years_log_truncate" AFTER TRUNCATE ON "branch_years"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_truncated"();
