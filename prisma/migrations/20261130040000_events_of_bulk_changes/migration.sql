-- Up to 1,000 records of a transaction are events of their own. Only functions; nothing is read, and no table is locked.

-- As many as a change of many records has. docs/decisions/subscriptions.md says what the feed carries.
CREATE FUNCTION log_records_max() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1000';

-- The records that are listed already are looked up in a hash table: of a thousand branches with their years, each was
-- compared with all others.
CREATE OR REPLACE FUNCTION merge_log_records(listed jsonb, added jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN jsonb_array_length(listed) + count(*) <= log_records_max()
            THEN listed || coalesce(jsonb_agg(record), '[]') END
        FROM jsonb_array_elements(added) AS record
        WHERE record ->> 'action' <> 'UPDATE' OR record ? 'previousProgramId'
            OR (record -> 'kind', record -> 'id', record -> 'programId') NOT IN (
                SELECT known -> 'kind', known -> 'id', known -> 'programId' FROM jsonb_array_elements(listed) AS known
            )
    );
END
$$;

-- Records may be in two programs each, as branches that move are.
CREATE OR REPLACE FUNCTION add_to_change_log(new_records jsonb, new_programs integer[], new_access boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO change_log AS entry (records, programs, access)
    VALUES (new_records, new_programs, new_access)
    ON CONFLICT (xid) DO UPDATE SET
        id = nextval('change_log_id_seq'),
        at = clock_timestamp(),
        records = merge_log_records(entry.records, new_records),
        programs = CASE WHEN entry.programs IS NOT NULL AND new_programs IS NOT NULL THEN (
            SELECT CASE WHEN count(*) <= 2 * log_records_max() THEN coalesce(array_agg(program ORDER BY program), '{}') END
            FROM (SELECT DISTINCT unnest(entry.programs || new_programs) AS program) AS touched
        ) END,
        access = entry.access OR new_access;
END
$$;

CREATE OR REPLACE FUNCTION log_rows(kind text, ids integer[], programs integer[], actions text[], details jsonb[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF ids IS NULL THEN
        RETURN;
    END IF;
    PERFORM add_to_change_log(
        CASE WHEN cardinality(array_remove(actions, NULL)) <= log_records_max() THEN coalesce((
            SELECT jsonb_agg(jsonb_build_object('kind', kind, 'action', action, 'id', id, 'programId', program)
                || coalesce(detail, '{}'))
            FROM unnest(ids, programs, actions, details) AS changed (id, program, action, detail)
            WHERE action IS NOT NULL
        ), '[]') END,
        (SELECT CASE WHEN count(*) <= 2 * log_records_max() THEN array_agg(program ORDER BY program) END FROM (
            SELECT DISTINCT program FROM unnest(programs) AS program WHERE program IS NOT NULL
            LIMIT 2 * log_records_max() + 1
        ) AS touched),
        false);
END
$$;

-- A removed row is logged without what is generated from it.
DO $$
DECLARE
    logged text; kind text; program text;
BEGIN
    FOR logged, kind, program IN VALUES ('programs', 'PROGRAM', 'id'), ('branches', 'BRANCH', 'program_id') LOOP
        EXECUTE format($function$
CREATE OR REPLACE FUNCTION log_%1$s() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
DECLARE
    count integer := (SELECT count(*) FROM (SELECT FROM changed LIMIT log_rows_max() + 1) AS "some");
    ids integer[]; programs integer[]; actions text[]; details jsonb[];
BEGIN
    IF count > log_rows_max() THEN
        PERFORM add_to_change_log(NULL, NULL, false);
    ELSIF TG_OP = 'UPDATE' THEN
        SELECT array_agg(id), array_agg(program) || array_agg(previous), array_agg(action), array_agg(detail)
        INTO ids, programs, actions, details FROM (
            SELECT id, coalesce(after.%3$s, before.%3$s) AS program, before.%3$s AS previous, update_action(
                before.id IS NOT NULL,
                before.id IS NOT NULL AND before.deleted_at IS NULL,
                after.id IS NOT NULL AND after.deleted_at IS NULL
            ) AS action, CASE WHEN before.%3$s <> after.%3$s
                THEN jsonb_build_object('previousProgramId', before.%3$s) END AS detail
            FROM before FULL JOIN changed AS after USING (id)
            WHERE before IS DISTINCT FROM after ORDER BY id
        ) AS updated;
    ELSE
        SELECT array_agg(id), array_agg(%3$s),
            array_agg(CASE WHEN deleted_at IS NULL THEN CASE TG_OP WHEN 'INSERT' THEN 'CREATE' ELSE TG_OP END END),
            array_agg(CASE WHEN TG_OP = 'DELETE' AND count <= log_records_max() THEN jsonb_build_object('removed', to_jsonb(changed)
                - '{searched_name,searched_attributes,sorted_name,sorted_code,sorted_duration,sorted_attributes}'::text[])
            END)
        INTO ids, programs, actions, details FROM changed;
    END IF;
    PERFORM log_rows('%2$s', ids, programs, actions, details);
    RETURN NULL;
END
$body$ $function$, logged, kind, program);
    END LOOP;
END
$$;
