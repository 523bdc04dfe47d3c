-- Undo by field: two new functions; nothing is read or locked.

-- The values of a record by the names of its fields in forms: name, years, attributes.level.
CREATE FUNCTION flat_snapshot(snapshot jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN snapshot - 'attributes' || coalesce((
        SELECT jsonb_object_agg('attributes.' || key, value) FROM jsonb_each(snapshot -> 'attributes')
    ), '{}');
END
$$;

-- What becomes of each field in which two flat snapshots differ, noted (as it was left or seen) and wanted, beside the one
-- of now: it is as wanted already (done), it is as noted, and takes the value (due), or somebody has changed it (left). A
-- field that is absent, such as an attribute, is null.
CREATE FUNCTION three_way(noted jsonb, wanted jsonb, now jsonb)
    RETURNS TABLE (field text, value jsonb, outcome text) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN QUERY
        SELECT name, target, CASE
            WHEN coalesce(now -> name, 'null') = target THEN 'done'
            WHEN coalesce(now -> name, 'null') = coalesce(noted -> name, 'null') THEN 'due'
            ELSE 'left'
        END
        FROM jsonb_object_keys(noted || wanted) AS name, coalesce(wanted -> name, 'null') AS target
        WHERE target <> coalesce(noted -> name, 'null');
END
$$;
