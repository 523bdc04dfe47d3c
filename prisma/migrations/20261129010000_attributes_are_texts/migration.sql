-- Reads both tables twice, and nothing can write them meanwhile: ten seconds for a million records.
--
-- Only SQL of others could have written an attribute that is no text, such as a number: some queries showed its record,
-- others failed. Such a value becomes its text, and null goes. (What is no object at all, sort_attributes rejects.)
DO $$
DECLARE
    kind text;
    -- Strict, since a lax path looks into a list, whose items may be texts.
    are_texts text := $sql$(attributes = '{}' OR NOT attributes @? 'strict $.* ? (@.type() <> "string")')$sql$;
BEGIN
    FOREACH kind IN ARRAY ARRAY['programs', 'branches'] LOOP
        EXECUTE format($sql$
            UPDATE %1$s SET attributes = coalesce((
                SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(attributes) WHERE value IS NOT NULL
            ), '{}') WHERE NOT %2$s;
            ALTER TABLE %1$s ADD CONSTRAINT %1$s_attributes_check CHECK %2$s;
        $sql$, kind, are_texts);
    END LOOP;
END
$$;
