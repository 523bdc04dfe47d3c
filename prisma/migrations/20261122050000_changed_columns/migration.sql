-- The change log names the columns that an update of a program changed, so that cached lists survive updates of others.
-- Older entries have none, which means any.
--
-- Cost: nothing on a table of any size; an update of at most 100 programs takes some microseconds more for each.

CREATE FUNCTION "changed_columns"("before" jsonb, "after" jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object('columns', coalesce(jsonb_agg("key"), '[]'))
    FROM jsonb_each("after") AS "column" ("key", "value") WHERE "value" IS DISTINCT FROM "before" -> "key"
$$;

-- As before, with what else is said of each record.
DROP FUNCTION "log_rows"(text, integer[], integer[], text[], jsonb[]);
CREATE FUNCTION "log_rows"("kind" text, "ids" integer[], "programs" integer[], "actions" text[], "details" jsonb[])
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
                || coalesce("detail", '{}'))
            FROM unnest("ids", "programs", "actions", "details") AS "changed" ("id", "program", "action", "detail")
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
    "details" jsonb[];
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

CREATE OR REPLACE FUNCTION "log_branches"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "count" integer;
    "delta" integer := 0;
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
