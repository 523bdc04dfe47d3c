-- Cached lists depend on the kind of their records, so the change log no longer names the columns that an update changed.
--
-- Cost: nothing on a table of any size. Older entries keep their columns, which nobody reads.

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
        SELECT array_agg("id"), array_agg("action") INTO "ids", "actions" FROM (
            SELECT "id", "catalog_action"(
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

DROP FUNCTION "changed_columns"(jsonb, jsonb);
