-- Case- and accent-insensitive search: one function folds both the stored text and the search terms, independently of
-- the database's locale (with LC_CTYPE=C, lower() handles ASCII only).
--
-- Cost: the search index is rebuilt, with writes to "programs" locked for about 20 seconds per million programs.

DROP INDEX "programs_search_idx";

-- NFKD separates accents, and the expression drops them: those of Latin, Greek and Cyrillic letters, and the vowel
-- points of Hebrew and Arabic. U+0345 stays, as its upper case is a letter. lower(upper(lower())) maps all case
-- variants to one form, the German sz and SS included; the final sigma is the only letter whose form depends on its
-- position.
--
-- Case mapping is that of Unicode, by the best available collation: PostgreSQL's own (version 18 and later), else
-- ICU's. The body is parsed at creation (RETURN), so it does not depend on search_path.
DO $migration$
BEGIN
    EXECUTE format(
        $function$
            CREATE FUNCTION "search_fold"("text" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
            RETURN CASE
                WHEN octet_length("text") = length("text") THEN lower("text" COLLATE "C") COLLATE "default"
                ELSE translate(
                    lower(upper(lower(regexp_replace(
                        normalize("text", NFKD),
                        U&'[\0300-\0344\0346-\036F\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\064B-\065F\0670]', '', 'g'
                    ) COLLATE %1$I))),
                    U&'\03C2', U&'\03C3'
                ) COLLATE "default"
            END
        $function$,
        coalesce((
            SELECT "collname" FROM "pg_collation"
            WHERE "collname" IN ('pg_unicode_fast', 'und-x-icu', 'pg_c_utf8', 'C.utf8')
                AND "collnamespace" = 'pg_catalog'::regnamespace
                AND "collencoding" IN (-1, pg_char_to_encoding('UTF8'))
            ORDER BY array_position(ARRAY['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8', 'C.utf8'], "collname"::text)
            LIMIT 1
        ), 'default')
    );
END
$migration$;

-- The search text of a program.
CREATE OR REPLACE FUNCTION "search_form"("name" TEXT, "code" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN "search_fold"("name" || ' ' || coalesce("code", ''));

-- The LIKE pattern that finds a word anywhere in a folded text.
CREATE FUNCTION "search_pattern"("word" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '%' || regexp_replace("search_fold"("word"), '([\\%_])', '\\\1', 'g') || '%';

CREATE INDEX "programs_search_idx" ON "programs" USING gin (search_form("name", "code") gin_trgm_ops);
