-- One change log, in place of NOTIFY from triggers and of the catalog log: instances poll it several times a second for
-- the entries that have become visible since their last snapshot.
--
-- Cost: one row per transaction that changes the catalog, users or keys, updated by each further statement of it. Its
-- only lock is on that row, which no other transaction writes, so PostgreSQL can group commits, while commits of
-- transactions that NOTIFY are serialized. The old log is dropped, so subscribers that resume from it get a RELOAD
-- event. Dropping and creating the triggers takes a short exclusive lock on each table, whatever its size.

-- CASCADE drops the triggers with their functions.
DROP FUNCTION "tell_access_changed"() CASCADE;
DROP FUNCTION "tell_programs_changed"() CASCADE;
DROP FUNCTION "tell_branches_changed"() CASCADE;
DROP FUNCTION "tell_branch_years_changed"() CASCADE;
DROP FUNCTION "tell_all_programs_changed"() CASCADE;
DROP FUNCTION "log_programs"() CASCADE;
DROP FUNCTION "log_branches"() CASCADE;
DROP FUNCTION "log_branch_years"() CASCADE;
DROP FUNCTION "log_truncated"() CASCADE;
DROP FUNCTION "tell_programs_touched"(integer[]);
DROP FUNCTION "program_of_branch"(integer);
DROP FUNCTION "log_catalog_changes"(text, text[], integer[], integer[]);
DROP FUNCTION "add_to_catalog_log"(jsonb, jsonb);

-- DropTable
DROP TABLE "catalog_log";
DROP FUNCTION "enter_catalog_log"();

-- CreateTable
CREATE TABLE "change_log" (
    "id" BIGSERIAL NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "records" JSONB DEFAULT '[]',
    "programs" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "access" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "change_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "change_log_xid_key" ON "change_log"("xid");

-- The log is never empty: instances recognize it by its last entry.
INSERT INTO "change_log" DEFAULT VALUES;

-- Adds to the entry of the current transaction. Up to 100 records and 200 programs are listed; beyond, null means any.
-- Each statement draws a new id while it holds the locks of the rows that it changed: of two transactions that change
-- the same row, the one that commits first has the smaller id. SECURITY DEFINER, so that any role that may change the
-- catalog can write the log.
CREATE FUNCTION "add_to_change_log"("new_records" jsonb, "new_programs" integer[], "new_access" boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "change_log" AS "entry" ("records", "programs", "access")
    VALUES ("new_records", "new_programs", "new_access")
    ON CONFLICT ("xid") DO UPDATE SET
        "id" = nextval('change_log_id_seq'),
        "at" = clock_timestamp(),
        "records" = CASE WHEN jsonb_array_length("entry"."records" || "new_records") <= 100
            THEN "entry"."records" || "new_records" END,
        "programs" = CASE WHEN "entry"."programs" IS NOT NULL AND "new_programs" IS NOT NULL THEN (
            SELECT CASE WHEN count(*) <= 200 THEN coalesce(array_agg("program" ORDER BY "program"), '{}') END
            FROM (SELECT DISTINCT unnest("entry"."programs" || "new_programs") AS "program") AS "touched"
        ) END,
        "access" = "entry"."access" OR "new_access";
END
$$;

-- Logs the changes of one statement: four arrays of the same length. A row without an action is listed under its
-- program only (a change of a soft-deleted record); hard-deleted rows are logged with their last version.
CREATE FUNCTION "log_rows"("kind" text, "ids" integer[], "programs" integer[], "actions" text[], "removed" jsonb[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF "ids" IS NULL THEN
        RETURN;
    END IF;
    PERFORM "add_to_change_log"(
        CASE WHEN cardinality(array_remove("actions", NULL)) <= 100 THEN coalesce((
            SELECT jsonb_agg(jsonb_build_object('kind', "kind", 'action', "action", 'id', "id", 'programId', "program")
                || CASE WHEN "row" IS NULL THEN '{}' ELSE jsonb_build_object('removed', "row") END)
            FROM unnest("ids", "programs", "actions", "removed") AS "changed" ("id", "program", "action", "row")
            WHERE "action" IS NOT NULL
        ), '[]') END,
        (SELECT CASE WHEN count(*) <= 200 THEN array_agg("program" ORDER BY "program") END
            FROM (SELECT DISTINCT unnest("programs") AS "program" LIMIT 201) AS "touched"),
        false);
END
$$;

-- A statement that changes more rows than this is logged as a change of everything, without reading them.
CREATE FUNCTION "log_rows_max"() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 10000';

-- One trigger per event, as a trigger with transition tables must have; the function handles all three.
CREATE FUNCTION "log_programs"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "count" integer;
    "ids" integer[];
    "actions" text[];
    "removed" jsonb[];
BEGIN
    IF TG_OP = 'DELETE' THEN
        "count" := (SELECT count(*) FROM (SELECT FROM "old_rows" LIMIT "log_rows_max"() + 1) AS "some");
    ELSE
        "count" := (SELECT count(*) FROM (SELECT FROM "new_rows" LIMIT "log_rows_max"() + 1) AS "some");
    END IF;
    IF "count" > "log_rows_max"() THEN
        PERFORM "add_to_change_log"(NULL, NULL, false);
    ELSIF TG_OP = 'INSERT' THEN
        SELECT array_agg("id"), array_agg(CASE WHEN "deleted_at" IS NULL THEN 'CREATED' END)
        INTO "ids", "actions" FROM "new_rows";
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg("id"), array_agg(CASE WHEN "deleted_at" IS NULL THEN 'DELETED' END),
            array_agg(CASE WHEN "count" <= 100 THEN to_jsonb("gone") END)
        INTO "ids", "actions", "removed" FROM "old_rows" AS "gone";
    ELSE
        SELECT array_agg("id"), array_agg("action") INTO "ids", "actions" FROM (
            SELECT "id", "catalog_action"(
                "before"."id" IS NOT NULL AND "before"."deleted_at" IS NULL,
                "after"."id" IS NOT NULL AND "after"."deleted_at" IS NULL
            ) AS "action"
            FROM "old_rows" AS "before" FULL JOIN "new_rows" AS "after" USING ("id")
            WHERE "before" IS DISTINCT FROM "after" ORDER BY "id"
        ) AS "changed";
    END IF;
    PERFORM "log_rows"('PROGRAM', "ids", "ids", "actions", "removed");
    RETURN NULL;
END
$$;

-- A branch that moves to another program is logged as deleted in the one and created in the other.
CREATE FUNCTION "log_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "count" integer;
    "ids" integer[];
    "programs" integer[];
    "actions" text[];
    "removed" jsonb[];
BEGIN
    IF TG_OP = 'DELETE' THEN
        "count" := (SELECT count(*) FROM (SELECT FROM "old_rows" LIMIT "log_rows_max"() + 1) AS "some");
    ELSE
        "count" := (SELECT count(*) FROM (SELECT FROM "new_rows" LIMIT "log_rows_max"() + 1) AS "some");
    END IF;
    IF "count" > "log_rows_max"() THEN
        PERFORM "add_to_change_log"(NULL, NULL, false);
    ELSIF TG_OP = 'INSERT' THEN
        SELECT array_agg("id"), array_agg("program_id"), array_agg(CASE WHEN "deleted_at" IS NULL THEN 'CREATED' END)
        INTO "ids", "programs", "actions" FROM "new_rows";
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg("id"), array_agg("program_id"), array_agg(CASE WHEN "deleted_at" IS NULL THEN 'DELETED' END),
            array_agg(CASE WHEN "count" <= 100 THEN to_jsonb("gone") END)
        INTO "ids", "programs", "actions", "removed" FROM "old_rows" AS "gone";
    ELSE
        SELECT array_agg("id"), array_agg("program_id"), array_agg("action") INTO "ids", "programs", "actions" FROM (
            SELECT "id", "program_id", "catalog_action"(
                "before"."id" IS NOT NULL AND "before"."deleted_at" IS NULL,
                "after"."id" IS NOT NULL AND "after"."deleted_at" IS NULL
            ) AS "action"
            FROM "old_rows" AS "before" FULL JOIN "new_rows" AS "after" USING ("id", "program_id")
            WHERE "before" IS DISTINCT FROM "after" ORDER BY "id"
        ) AS "changed";
    END IF;
    PERFORM "log_rows"('BRANCH', "ids", "programs", "actions", "removed");
    RETURN NULL;
END
$$;

-- A change of a year is an update of its branch. OFFSET 0 keeps the lookup of each branch by key: a join would be
-- planned once per connection, for its first statement, and could then scan all branches for each small one. A branch
-- that is missing was deleted in the same transaction, which is logged too.
CREATE FUNCTION "log_branch_years"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "touched" integer[];
    "ids" integer[];
    "programs" integer[];
    "actions" text[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        "touched" := ARRAY(SELECT DISTINCT "branch_id" FROM "new_rows" ORDER BY "branch_id");
    ELSIF TG_OP = 'DELETE' THEN
        "touched" := ARRAY(SELECT DISTINCT "branch_id" FROM "old_rows" ORDER BY "branch_id");
    ELSE
        "touched" := ARRAY(SELECT "branch_id" FROM "old_rows" UNION SELECT "branch_id" FROM "new_rows" ORDER BY "branch_id");
    END IF;
    IF cardinality("touched") > "log_rows_max"() THEN
        PERFORM "add_to_change_log"(NULL, NULL, false);
    ELSE
        SELECT array_agg("id"), array_agg("program_id"), array_agg(CASE WHEN "deleted_at" IS NULL THEN 'UPDATED' END)
        INTO "ids", "programs", "actions"
        FROM unnest("touched") AS "branch" ("id") CROSS JOIN LATERAL (
            SELECT "program_id", "deleted_at" FROM "branches" WHERE "branches"."id" = "branch"."id" OFFSET 0
        ) AS "found";
    END IF;
    PERFORM "log_rows"('BRANCH', "ids", "programs", "actions", NULL);
    RETURN NULL;
END
$$;

CREATE FUNCTION "log_everything"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "add_to_change_log"(NULL, NULL, false);
    RETURN NULL;
END
$$;

CREATE FUNCTION "log_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "add_to_change_log"('[]', '{}', true);
    RETURN NULL;
END
$$;

CREATE TRIGGER "programs_inserted" AFTER INSERT ON "programs"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_programs"();
CREATE TRIGGER "programs_updated" AFTER UPDATE ON "programs"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_programs"();
CREATE TRIGGER "programs_deleted" AFTER DELETE ON "programs"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_programs"();
CREATE TRIGGER "programs_truncated" AFTER TRUNCATE ON "programs"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_everything"();

CREATE TRIGGER "branches_inserted" AFTER INSERT ON "branches"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branches"();
CREATE TRIGGER "branches_updated" AFTER UPDATE ON "branches"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branches"();
CREATE TRIGGER "branches_deleted" AFTER DELETE ON "branches"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branches"();
CREATE TRIGGER "branches_truncated" AFTER TRUNCATE ON "branches"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_everything"();

CREATE TRIGGER "branch_years_inserted" AFTER INSERT ON "branch_years"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branch_years"();
CREATE TRIGGER "branch_years_updated" AFTER UPDATE ON "branch_years"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branch_years"();
CREATE TRIGGER "branch_years_deleted" AFTER DELETE ON "branch_years"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "log_branch_years"();
CREATE TRIGGER "branch_years_truncated" AFTER TRUNCATE ON "branch_years"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_everything"();

-- Updates of last_used_at are not logged, as no cached value depends on them.
CREATE TRIGGER "users_changed" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "users"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_access"();
CREATE TRIGGER "api_keys_changed"
    AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF "user_id", "hash", "read_only", "expires_at", "revoked_at" ON "api_keys"
    FOR EACH STATEMENT EXECUTE FUNCTION "log_access"();

-- ENABLE ALWAYS: also in sessions with session_replication_role = replica, which some tools use for replay.
DO $$
DECLARE
    "logging" record;
BEGIN
    FOR "logging" IN
        SELECT "tgrelid"::regclass AS "table", "tgname" AS "name" FROM "pg_trigger"
        WHERE NOT "tgisinternal" AND "tgrelid" IN ('"programs"'::regclass, '"branches"'::regclass,
            '"branch_years"'::regclass, '"users"'::regclass, '"api_keys"'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', "logging"."table", "logging"."name");
    END LOOP;
END
$$;
