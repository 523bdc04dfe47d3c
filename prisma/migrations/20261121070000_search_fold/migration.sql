-- Searches fold letter case and accents by one function, for what is stored and for what is searched for, and in the same
-- way whatever the locale of the database is: with LC_CTYPE=C, lower() knows no letters but those of ASCII.
--
-- What it costs: the index of the search form is built anew, under a lock on writes to "programs": about 20 seconds for a
-- million programs.

DROP INDEX "programs_search_idx";

-- NFKD splits accents off, and the expression drops them: those of Latin, Greek and Cyrillic letters, the vowel points of
-- Hebrew and Arabic. U+0345 stays, for its upper case is a letter. Lower, upper and lower again makes one of all that
-- differ only in case: of the German sz and SS, too; the final sigma is the only letter whose form depends on its place.
--
-- The rules of letter case are those of Unicode, by the best collation that this PostgreSQL has: its own from version 18
-- on, else ICU's, which nearly all are built with. The body names no function that the search path has to find.
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

-- The form in which names and codes are searched.
CREATE OR REPLACE FUNCTION "search_form"("name" TEXT, "code" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN "search_fold"("name" || ' ' || coalesce("code", ''));

-- The pattern for LIKE that finds a word anywhere in such a form.
CREATE FUNCTION "search_pattern"("word" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '%' || regexp_replace("search_fold"("word"), '([\\%_])', '\\\1', 'g') || '%';

CREATE INDEX "programs_search_idx" ON "programs" USING gin (search_form("name", "code") gin_trgm_ops);
