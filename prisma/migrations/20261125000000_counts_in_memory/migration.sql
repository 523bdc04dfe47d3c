-- Counts are kept in memory, each with the snapshot that it was made in, and the records listed in the change log since
-- are added. So nothing is stored but the log.
--
-- Identifiers of years and audit entries are 32-bit integers as all others: no university has two billion.
--
-- Cost: "branch_years" and "audit_entries" are rewritten under an ACCESS EXCLUSIVE lock, about 2 seconds per million rows.
-- Columns of the log are dropped without a rewrite.

DROP TRIGGER "change_log_folded" ON "change_log";
DROP FUNCTION "fold_before_removal"();
DROP FUNCTION "recount_catalog"();
DROP FUNCTION "fold_catalog_counts"();
DROP FUNCTION "snapshot_of_others"();
DROP VIEW "catalog_totals";
DROP TABLE "catalog_counts";

-- AlterTable
ALTER TABLE "change_log" DROP COLUMN "branch_delta",
DROP COLUMN "program_delta";

DROP FUNCTION "add_to_change_log"(jsonb, integer[], boolean, integer, integer);
CREATE FUNCTION "add_to_change_log"("new_records" jsonb, "new_programs" integer[], "new_access" boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "change_log" AS "entry" ("records", "programs", "access")
    VALUES ("new_records", "new_programs", "new_access")
    ON CONFLICT ("xid") DO UPDATE SET
        "id" = nextval('change_log_id_seq'),
        "at" = clock_timestamp(),
        "records" = "merge_log_records"("entry"."records", "new_records"),
        "programs" = CASE WHEN "entry"."programs" IS NOT NULL AND "new_programs" IS NOT NULL THEN (
            SELECT CASE WHEN count(*) <= 200 THEN coalesce(array_agg("program" ORDER BY "program"), '{}') END
            FROM (SELECT DISTINCT unnest("entry"."programs" || "new_programs") AS "program") AS "touched"
        ) END,
        "access" = "entry"."access" OR "new_access";
END
$$;

CREATE OR REPLACE FUNCTION "log_rows"("kind" text, "ids" integer[], "programs" integer[], "actions" text[], "details" jsonb[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF "ids" IS NULL THEN
        RETURN;
    END IF;
    PERFORM "add_to_change_log"(
        CASE WHEN cardinality(array_remove("actions", NULL)) <= 100 THEN coalesce((
            SELECT jsonb_agg(jsonb_build_object('kind', "kind", 'action', "action", 'id', "id", 'programId', "program")
                || coalesce("detail", '{}'))
            FROM unnest("ids", "programs", "actions", "details") AS "changed" ("id", "program", "action", "detail")
            WHERE "action" IS NOT NULL
        ), '[]') END,
        (SELECT CASE WHEN count(*) <= 200 THEN array_agg("program" ORDER BY "program") END
            FROM (SELECT DISTINCT unnest("programs") AS "program" LIMIT 201) AS "touched"),
        false);
END
$$;

CREATE OR REPLACE FUNCTION "log_programs"() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    "count" integer;
    "ids" integer[];
    "actions" text[];
    "details" jsonb[];
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
            array_agg(CASE WHEN "count" <= 100 THEN jsonb_build_object('removed', to_jsonb("gone")) END)
        INTO "ids", "actions", "details" FROM "old_rows" AS "gone";
    ELSE
        SELECT array_agg("id"), array_agg("action"), array_agg("columns")
        INTO "ids", "actions", "details" FROM (
            SELECT "id", CASE WHEN "count" <= 100 AND "before"."id" = "after"."id"
                THEN "changed_columns"(to_jsonb("before"), to_jsonb("after")) END AS "columns", "catalog_action"(
                "before"."id" IS NOT NULL AND "before"."deleted_at" IS NULL,
                "after"."id" IS NOT NULL AND "after"."deleted_at" IS NULL
            ) AS "action"
            FROM "old_rows" AS "before" FULL JOIN "new_rows" AS "after" USING ("id")
            WHERE "before" IS DISTINCT FROM "after" ORDER BY "id"
        ) AS "changed";
    END IF;
    PERFORM "log_rows"('PROGRAM', "ids", "ids", "actions", "details");
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "log_branches"() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    "count" integer;
    "ids" integer[];
    "programs" integer[];
    "actions" text[];
    "details" jsonb[];
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
            array_agg(CASE WHEN "count" <= 100 THEN jsonb_build_object('removed', to_jsonb("gone")) END)
        INTO "ids", "programs", "actions", "details" FROM "old_rows" AS "gone";
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
    PERFORM "log_rows"('BRANCH', "ids", "programs", "actions", "details");
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "log_everything"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM "add_to_change_log"(NULL, NULL, false);
    RETURN NULL;
END
$$;

-- AlterTable
ALTER TABLE "branch_years" ALTER COLUMN "id" TYPE INTEGER;
ALTER SEQUENCE "branch_years_id_seq" AS INTEGER MAXVALUE 2147483647;

-- AlterTable
ALTER TABLE "audit_entries" ALTER COLUMN "id" TYPE INTEGER;
ALTER SEQUENCE "audit_entries_id_seq" AS INTEGER MAXVALUE 2147483647;
