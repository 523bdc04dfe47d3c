-- Tells every instance, at commit, which programs were touched, themselves or in their branches and years, so that
-- what is kept of the others stays.
--
-- What it costs: one look at the rows that the statement changed (for years, at their branches too) and one notice
-- a statement, however many rows; PostgreSQL sends equal notices of one transaction once. Transactions that notify
-- commit one after the other, which bounds writes at what the disk can flush: academic structure is written rarely.
-- Making the triggers takes a lock on each table for a moment and reads no row, however large the table is.

-- More programs than this are told as "all": a notice must be shorter than 8,000 bytes, and an id takes up to 11.
CREATE FUNCTION "tell_programs_touched"("programs" integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality("programs") = 0 THEN
        RETURN;
    END IF;
    PERFORM pg_notify('academic_structure', json_build_object(
        'kind', 'catalog',
        'programs', CASE WHEN cardinality("programs") <= 200 THEN "programs" END
    )::text);
END
$$;

CREATE FUNCTION "program_of_branch"("branch" integer) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT "program_id" FROM "branches" WHERE "id" = "branch"
$$;

-- A trigger that sees the changed rows may have only one event, and sees those rows that its event has.
CREATE FUNCTION "tell_programs_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "touched" integer[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        "touched" := ARRAY(SELECT DISTINCT "id" FROM "new_rows" LIMIT 201);
    ELSIF TG_OP = 'DELETE' THEN
        "touched" := ARRAY(SELECT DISTINCT "id" FROM "old_rows" LIMIT 201);
    ELSE
        "touched" := ARRAY(SELECT "id" FROM "old_rows" UNION SELECT "id" FROM "new_rows" LIMIT 201);
    END IF;
    PERFORM "tell_programs_touched"("touched");
    RETURN NULL;
END
$$;

-- A branch that moves to another program touches both.
CREATE FUNCTION "tell_branches_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "touched" integer[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        "touched" := ARRAY(SELECT DISTINCT "program_id" FROM "new_rows" LIMIT 201);
    ELSIF TG_OP = 'DELETE' THEN
        "touched" := ARRAY(SELECT DISTINCT "program_id" FROM "old_rows" LIMIT 201);
    ELSE
        "touched" := ARRAY(SELECT "program_id" FROM "old_rows" UNION SELECT "program_id" FROM "new_rows" LIMIT 201);
    END IF;
    PERFORM "tell_programs_touched"("touched");
    RETURN NULL;
END
$$;

-- Each branch is looked up by its key: a join would be planned once, for the first statement of a connection, and
-- could then read all branches for every small one. The branch of a year is there while the year is, as its foreign
-- key demands; were it not, the notice would have a null among its ids, which instances take for "all".
CREATE FUNCTION "tell_branch_years_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "touched" integer[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        "touched" := ARRAY(SELECT DISTINCT "program_of_branch"("branch_id")
            FROM (SELECT DISTINCT "branch_id" FROM "new_rows") AS "years" LIMIT 201);
    ELSIF TG_OP = 'DELETE' THEN
        "touched" := ARRAY(SELECT DISTINCT "program_of_branch"("branch_id")
            FROM (SELECT DISTINCT "branch_id" FROM "old_rows") AS "years" LIMIT 201);
    ELSE
        "touched" := ARRAY(SELECT DISTINCT "program_of_branch"("branch_id")
            FROM (SELECT "branch_id" FROM "old_rows" UNION SELECT "branch_id" FROM "new_rows") AS "years" LIMIT 201);
    END IF;
    PERFORM "tell_programs_touched"("touched");
    RETURN NULL;
END
$$;

CREATE FUNCTION "tell_all_programs_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('academic_structure', '{"kind":"catalog","programs":null}');
    RETURN NULL;
END
$$;

CREATE TRIGGER "programs_inserted" AFTER INSERT ON "programs"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_programs_changed"();
CREATE TRIGGER "programs_updated" AFTER UPDATE ON "programs"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_programs_changed"();
CREATE TRIGGER "programs_deleted" AFTER DELETE ON "programs"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_programs_changed"();
CREATE TRIGGER "programs_truncated" AFTER TRUNCATE ON "programs"
    FOR EACH STATEMENT EXECUTE FUNCTION "tell_all_programs_changed"();

CREATE TRIGGER "branches_inserted" AFTER INSERT ON "branches"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_branches_changed"();
CREATE TRIGGER "branches_updated" AFTER UPDATE ON "branches"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_branches_changed"();
CREATE TRIGGER "branches_deleted" AFTER DELETE ON "branches"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_branches_changed"();
CREATE TRIGGER "branches_truncated" AFTER TRUNCATE ON "branches"
    FOR EACH STATEMENT EXECUTE FUNCTION "tell_all_programs_changed"();

CREATE TRIGGER "branch_years_inserted" AFTER INSERT ON "branch_years"
    REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_branch_years_changed"();
CREATE TRIGGER "branch_years_updated" AFTER UPDATE ON "branch_years"
    REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_branch_years_changed"();
CREATE TRIGGER "branch_years_deleted" AFTER DELETE ON "branch_years"
    REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "tell_branch_years_changed"();
CREATE TRIGGER "branch_years_truncated" AFTER TRUNCATE ON "branch_years"
    FOR EACH STATEMENT EXECUTE FUNCTION "tell_all_programs_changed"();
