-- A record that is created or updated several times in a transaction is listed once in the change log, so that 100
-- branches with their years are still 100 records, which subscribers are told of one by one.
--
-- Cost: replaces a function; no table is read or locked.

-- The records of an entry together with those of its next statement; null when they are too many to list. An update of
-- a record that is listed already says nothing new: a deleted one is not updated before it is created again.
CREATE FUNCTION "merge_log_records"("listed" jsonb, "new_records" jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    "merged" jsonb := "listed";
    "record" jsonb;
BEGIN
    FOR "record" IN SELECT "value" FROM jsonb_array_elements("new_records") LOOP
        IF "record" ->> 'action' <> 'UPDATED' OR NOT "listed" @> jsonb_build_array("record" - 'action') THEN
            "merged" := "merged" || "record";
        END IF;
    END LOOP;
    RETURN CASE WHEN jsonb_array_length("merged") <= 100 THEN "merged" END;
END
$$;

CREATE OR REPLACE FUNCTION "add_to_change_log"("new_records" jsonb, "new_programs" integer[], "new_access" boolean,
    "new_program_delta" integer DEFAULT 0, "new_branch_delta" integer DEFAULT 0) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "change_log" AS "entry" ("records", "programs", "access", "program_delta", "branch_delta")
    VALUES ("new_records", "new_programs", "new_access", "new_program_delta", "new_branch_delta")
    ON CONFLICT ("xid") DO UPDATE SET
        "id" = nextval('change_log_id_seq'),
        "at" = clock_timestamp(),
        "records" = "merge_log_records"("entry"."records", "new_records"),
        "programs" = CASE WHEN "entry"."programs" IS NOT NULL AND "new_programs" IS NOT NULL THEN (
            SELECT CASE WHEN count(*) <= 200 THEN coalesce(array_agg("program" ORDER BY "program"), '{}') END
            FROM (SELECT DISTINCT unnest("entry"."programs" || "new_programs") AS "program") AS "touched"
        ) END,
        "access" = "entry"."access" OR "new_access",
        "program_delta" = "entry"."program_delta" + "new_program_delta",
        "branch_delta" = "entry"."branch_delta" + "new_branch_delta";
END
$$;
