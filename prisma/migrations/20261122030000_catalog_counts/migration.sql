-- Counts of programs and branches that cost the same however many there are. Each entry of the change log has by how
-- much its transaction changed them, and catalog_counts the sum of the entries in a snapshot. Reading adds the entries
-- that are not in that snapshot (catalog_totals), so counts are exact, and no writer waits for another.
--
-- Cost: nothing is counted here, but by each instance at its start. The new columns rewrite nothing. A short lock on
-- both tables waits for transactions whose triggers write entries without these columns.

LOCK TABLE "programs", "branches" IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "change_log" ADD COLUMN "branch_delta" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "program_delta" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "catalog_counts" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "programs" INTEGER NOT NULL,
    "branches" INTEGER NOT NULL,
    "snapshot" pg_snapshot NOT NULL,

    CONSTRAINT "catalog_counts_pkey" PRIMARY KEY ("id")
);

-- One row at most; none until an instance has counted.
ALTER TABLE "catalog_counts" ADD CONSTRAINT "catalog_counts_id_check" CHECK ("id" = 1);

-- The records that are not deleted, as of the reader's snapshot; no row while catalog_counts is empty. With an upper
-- bound, which excludes nothing, the planner expects a small range and reads it from the index.
CREATE VIEW "catalog_totals" AS
    SELECT "counted"."programs" + "since"."programs" AS "programs", "counted"."branches" + "since"."branches" AS "branches"
    FROM "catalog_counts" AS "counted" CROSS JOIN LATERAL (
        SELECT coalesce(sum("program_delta"), 0)::integer AS "programs", coalesce(sum("branch_delta"), 0)::integer AS "branches"
        FROM (
            SELECT "program_delta", "branch_delta" FROM "change_log"
            WHERE "xid" >= pg_snapshot_xmax("counted"."snapshot") AND "xid" <= '18446744073709551615'::xid8
            UNION ALL
            SELECT "program_delta", "branch_delta" FROM "change_log"
            WHERE "xid" IN (SELECT pg_snapshot_xip("counted"."snapshot"))
        ) AS "unfolded"
    ) AS "since";

-- The snapshot of the calling statement, with the current transaction as one in progress: it may change records later.
CREATE FUNCTION "snapshot_of_others"() RETURNS pg_snapshot LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN pg_visible_in_snapshot(pg_current_xact_id_if_assigned(), "now") THEN (
        SELECT format('%s:%s:%s', (array_agg("xid" ORDER BY "xid"))[1], pg_snapshot_xmax("now"),
            string_agg("xid"::text, ',' ORDER BY "xid"))::pg_snapshot
        FROM (SELECT pg_snapshot_xip("now") UNION SELECT pg_current_xact_id()) AS "in_progress" ("xid")
    ) ELSE "now" END
    FROM (SELECT pg_current_snapshot()) AS "current" ("now")
$$;

-- Adds the logged changes to catalog_counts, except those of the current transaction. The lock orders the snapshots.
CREATE FUNCTION "fold_catalog_counts"() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    LOCK TABLE "catalog_counts" IN SHARE ROW EXCLUSIVE MODE;
    UPDATE "catalog_counts" SET
        "programs" = "totals"."programs" - coalesce("own"."program_delta", 0),
        "branches" = "totals"."branches" - coalesce("own"."branch_delta", 0),
        "snapshot" = "snapshot_of_others"()
    FROM "catalog_totals" AS "totals" LEFT JOIN "change_log" AS "own" ON "own"."xid" = pg_current_xact_id_if_assigned();
END
$$;

-- Counts from the tables. Each instance does at its start: the counts may be of another server (pg_restore), or triggers
-- have been disabled. When they were wrong, everything counts as changed. Entries restored from another server may have
-- transaction ids that this one has not reached yet; they are removed.
CREATE FUNCTION "recount_catalog"() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    "corrected" boolean;
BEGIN
    -- In the order of other statements that lock several of them.
    LOCK TABLE "programs", "branches" IN ACCESS SHARE MODE;
    LOCK TABLE "catalog_counts" IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM "change_log" WHERE "xid" >= pg_snapshot_xmax(pg_current_snapshot()) AND "xid" <= '18446744073709551615'::xid8
        AND "xid" IS DISTINCT FROM pg_current_xact_id_if_assigned();
    IF FOUND THEN
        PERFORM "add_to_change_log"(NULL, NULL, true);
    END IF;
    WITH "counted" AS MATERIALIZED (
        SELECT (SELECT count(*)::integer FROM "programs" WHERE "deleted_at" IS NULL) AS "programs",
            (SELECT count(*)::integer FROM "branches" WHERE "deleted_at" IS NULL) AS "branches"
    ), "stored" AS (
        INSERT INTO "catalog_counts" ("programs", "branches", "snapshot")
        SELECT "counted"."programs" - coalesce("own"."program_delta", 0),
            "counted"."branches" - coalesce("own"."branch_delta", 0), "snapshot_of_others"()
        FROM "counted" LEFT JOIN "change_log" AS "own" ON "own"."xid" = pg_current_xact_id_if_assigned()
        ON CONFLICT ("id") DO UPDATE SET "programs" = excluded."programs", "branches" = excluded."branches",
            "snapshot" = excluded."snapshot"
    )
    SELECT EXISTS (
        SELECT FROM "counted" CROSS JOIN "catalog_totals" AS "before"
        WHERE ("counted"."programs", "counted"."branches") <> ("before"."programs", "before"."branches")
    ) INTO "corrected";
    IF "corrected" THEN
        PERFORM "add_to_change_log"(NULL, NULL, false);
    END IF;
END
$$;

-- Entries are removed only once they are in catalog_counts.
CREATE FUNCTION "fold_before_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "fold_catalog_counts"();
    RETURN NULL;
END
$$;
CREATE TRIGGER "change_log_folded" BEFORE DELETE OR TRUNCATE ON "change_log"
    FOR EACH STATEMENT EXECUTE FUNCTION "fold_before_removal"();
ALTER TABLE "change_log" ENABLE ALWAYS TRIGGER "change_log_folded";

-- As before, and adds up by how much the numbers of records change.
DROP FUNCTION "add_to_change_log"(jsonb, integer[], boolean);
CREATE FUNCTION "add_to_change_log"("new_records" jsonb, "new_programs" integer[], "new_access" boolean,
    "new_program_delta" integer DEFAULT 0, "new_branch_delta" integer DEFAULT 0) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "change_log" AS "entry" ("records", "programs", "access", "program_delta", "branch_delta")
    VALUES ("new_records", "new_programs", "new_access", "new_program_delta", "new_branch_delta")
    ON CONFLICT ("xid") DO UPDATE SET
        "id" = nextval('change_log_id_seq'),
        "at" = clock_timestamp(),
        "records" = CASE WHEN jsonb_array_length("entry"."records" || "new_records") <= 100
            THEN "entry"."records" || "new_records" END,
        "programs" = CASE WHEN "entry"."programs" IS NOT NULL AND "new_programs" IS NOT NULL THEN (
            SELECT CASE WHEN count(*) <= 200 THEN coalesce(array_agg("program" ORDER BY "program"), '{}') END
            FROM (SELECT DISTINCT unnest("entry"."programs" || "new_programs") AS "program") AS "touched"
        ) END,
        "access" = "entry"."access" OR "new_access",
        "program_delta" = "entry"."program_delta" + "new_program_delta",
        "branch_delta" = "entry"."branch_delta" + "new_branch_delta";
END
$$;

CREATE OR REPLACE FUNCTION "log_rows"("kind" text, "ids" integer[], "programs" integer[], "actions" text[], "removed" jsonb[])
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    "delta" integer := coalesce(cardinality(array_positions("actions", 'CREATED')), 0)
        - coalesce(cardinality(array_positions("actions", 'DELETED')), 0);
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
        false,
        CASE "kind" WHEN 'PROGRAM' THEN "delta" ELSE 0 END,
        CASE "kind" WHEN 'BRANCH' THEN "delta" ELSE 0 END);
END
$$;

CREATE OR REPLACE FUNCTION "log_programs"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "count" integer;
    "delta" integer := 0;
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
        IF TG_OP <> 'DELETE' THEN
            "delta" := (SELECT count(*) FROM "new_rows" WHERE "deleted_at" IS NULL);
        END IF;
        IF TG_OP <> 'INSERT' THEN
            "delta" := "delta" - (SELECT count(*) FROM "old_rows" WHERE "deleted_at" IS NULL);
        END IF;
        PERFORM "add_to_change_log"(NULL, NULL, false, "delta", 0);
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

CREATE OR REPLACE FUNCTION "log_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "count" integer;
    "delta" integer := 0;
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
        IF TG_OP <> 'DELETE' THEN
            "delta" := (SELECT count(*) FROM "new_rows" WHERE "deleted_at" IS NULL);
        END IF;
        IF TG_OP <> 'INSERT' THEN
            "delta" := "delta" - (SELECT count(*) FROM "old_rows" WHERE "deleted_at" IS NULL);
        END IF;
        PERFORM "add_to_change_log"(NULL, NULL, false, 0, "delta");
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

-- The lock of TRUNCATE lets no other transaction change the table before this one ends.
CREATE OR REPLACE FUNCTION "log_everything"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    "counted" "catalog_totals";
BEGIN
    SELECT * INTO "counted" FROM "catalog_totals";
    PERFORM "add_to_change_log"(NULL, NULL, false,
        CASE TG_TABLE_NAME WHEN 'programs' THEN -coalesce("counted"."programs", 0) ELSE 0 END,
        CASE TG_TABLE_NAME WHEN 'branches' THEN -coalesce("counted"."branches", 0) ELSE 0 END);
    RETURN NULL;
END
$$;
