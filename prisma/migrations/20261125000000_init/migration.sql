-- prisma/schema.prisma describes the same tables, and a test compares both. It cannot express CHECK, partial and
-- expression indexes, functions and triggers: those are only here.

-- ----- Search: without case and accents, in every script, whatever the locale of the database.
-- With LC_CTYPE=C, lower() knows ASCII only, and a database cannot change its locale. So one function folds both the
-- stored text, in an index, and the words searched for.

-- A trusted extension: the owner of the database may create it, without being a superuser.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- The functions that search_fold calls use their text once, so that PostgreSQL puts them into its plan.

-- Case and accents. NFKD separates accents from letters, and the expression drops them: those of Latin, Greek and Cyrillic
-- letters, the vowel points of Hebrew and Arabic, the tatweel; and what nobody sees, such as joiners and soft hyphens.
-- U+0345 stays, as its upper case is a letter. The three of lower(upper(lower())) map all case variants to one form, the
-- German sharp s and SS included.
--
-- Case mapping is Unicode's, by the best collation that this server has: PostgreSQL's own (18 and later), ICU's (most
-- packages), a C.UTF-8 of PostgreSQL 17 or of the operating system. The choice is part of the function, as an index on
-- it must not change its mind. RETURN, and no body in quotes: it is parsed now, and no search_path can redirect it.
DO $migration$
BEGIN
    EXECUTE format(
        $function$
            CREATE FUNCTION fold_case(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            RETURN lower(upper(lower(regexp_replace(
                normalize(replace(text, U&'\00B4', ''''), NFKD),
                U&'[\0300-\0344\0346-\036F\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0640\064B-\065F\0670'
                || U&'\00AD\061C\115F\1160\180B-\180F\200B-\200F\202A-\202E\2060-\206F\FE00-\FE0F\FEFF]', '', 'g'
            ) COLLATE %1$I))) COLLATE "default"
        $function$,
        coalesce((
            SELECT collname FROM pg_collation
            WHERE collname IN ('pg_unicode_fast', 'und-x-icu', 'pg_c_utf8', 'C.utf8')
                AND collnamespace = 'pg_catalog'::regnamespace
                AND collencoding IN (-1, pg_char_to_encoding('UTF8'))
            ORDER BY array_position(ARRAY['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8', 'C.utf8'], collname::text)
            LIMIT 1
        ), 'default')
    );
END
$migration$;

-- What Unicode does not decompose, though people type the one for the other, in lower case: letters with a stroke and
-- ligatures of Latin; apostrophes, quotation marks and hyphens of any kind; of a sigma, those that depend on its position.
-- "&" is "and", and "B.Sc." is "BSc"; a full stop between digits stays.
CREATE FUNCTION fold_signs(folded text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(replace(replace(replace(replace(translate(folded,
        U&'\03C2\0142\0111\00F0\00F8\0127\0167\0180\01B6\0249\0268\024D\0247\023C'
        || U&'\2018\2019\201A\201B\2032\02B9\02BB\02BC\02BD\02BE\02BF\02C8\055A\05F3\0060\A78C'
        || U&'\201C\201D\201E\201F\00AB\00BB\05F4'
        || U&'\2010\2012\2013\2014\2015\2212\2043\058A\05BE\30A0',
        U&'\03C3lddohtbzjirel' || repeat('''', 16) || repeat('"', 7) || repeat('-', 10)
    ), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'), '&', 'and'), '(?<![0-9])\.|\.(?![0-9])', '', 'g');

-- The forms that one letter has in Arabic, Persian and Urdu, the signs of a nasal in Devanagari, the digits of scripts.
CREATE FUNCTION fold_forms(folded text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(folded,
        U&'\0671\0649\06CC\06D2\06A9\0629\06C1\06C3\06BE\06D5\0901'
        || U&'\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9'
        || U&'\0966\0967\0968\0969\096A\096B\096C\096D\096E\096F\09E6\09E7\09E8\09E9\09EA\09EB\09EC\09ED\09EE\09EF'
        || U&'\0A66\0A67\0A68\0A69\0A6A\0A6B\0A6C\0A6D\0A6E\0A6F\0AE6\0AE7\0AE8\0AE9\0AEA\0AEB\0AEC\0AED\0AEE\0AEF'
        || U&'\0BE6\0BE7\0BE8\0BE9\0BEA\0BEB\0BEC\0BED\0BEE\0BEF\0E50\0E51\0E52\0E53\0E54\0E55\0E56\0E57\0E58\0E59',
        U&'\0627\064A\064A\064A\0643\0647\0647\0647\0647\0647\0902' || repeat('0123456789', 8)
    );

-- ASCII without the signs that are folded, which is most text, takes the short way, ten times as fast.
CREATE FUNCTION fold_text(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN octet_length(text) = length(text) AND strpos(text, '&') + strpos(text, '.') + strpos(text, '`') = 0
            THEN lower(text COLLATE "C") COLLATE "default"
        WHEN text ~ U&'[\0627-\06FF\0901-\0E59\FB50-\FEFC]' THEN fold_signs(fold_forms(fold_case(text)))
        ELSE fold_signs(fold_case(text))
    END;

-- What statements name is in PL/pgSQL, so that PostgreSQL calls it: to put the text above into their plans takes a
-- millisecond for each time that it occurs. With its schema, as a search_path of its own would quadruple its time.
DO $migration$
BEGIN
    EXECUTE format(
        $function$
            CREATE FUNCTION search_fold(text text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS
            $$ BEGIN RETURN %1$I.fold_text(text); END $$;

            -- The LIKE pattern that finds a word in a folded text: anywhere, or at its beginning when nothing may come
            -- before.
            CREATE FUNCTION search_pattern(word text, before text DEFAULT '%%') RETURNS text
                LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS
            $$ BEGIN RETURN before || regexp_replace(%1$I.fold_text(word), '([\\%%_])', '\\\1', 'g') || '%%'; END $$;
        $function$,
        current_schema()
    );
END
$migration$;

-- A nasal before a consonant of Devanagari is written as a letter with a virama or as a point. Only a whole word says
-- which letter of a search is such a nasal, so this is no part of search_fold: a text is searched in both spellings.
CREATE FUNCTION fold_nasals(folded text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(folded, U&'[\0919\091E\0923\0928\092E]\094D(?=[\0915-\0939])', U&'\0902', 'g');
CREATE FUNCTION search_spellings(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN strpos(text, U&'\094D') = 0 THEN search_fold(text)
        ELSE search_fold(text) || E'\n' || fold_nasals(search_fold(text))
    END;

-- The functions of generated columns are in PL/pgSQL, which plans them once per session. PostgreSQL would plan those in SQL
-- anew for each statement that writes a record, which takes 1.2 ms, five times as long as the rest of it.
CREATE FUNCTION search_form(name text, code text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
    RETURN search_spellings(name || ' ' || coalesce(code, ''));
END
$$;

-- The values of attributes, a line each, or null: those of a JSON array without its quotation marks and escapes, which
-- takes half the time of jsonb_each_text.
CREATE FUNCTION search_attributes(attributes jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
    RETURN CASE WHEN attributes <> '{}' THEN search_spellings(replace(replace(replace(
        left(substr(jsonb_path_query_array(attributes, '$.*')::text, 3), -2), '", "', E'\n'
    ), '\"', '"'), '\\', '\')) END;
END
$$;

-- Each number of a folded text after its count of digits, without leading zeros: byte by byte, 2 comes before 10.
CREATE FUNCTION number_key(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN (
        SELECT string_agg(part[1] || CASE
            WHEN part[2] = '' THEN ''
            WHEN length(digits) < 9 THEN length(digits) || digits
            ELSE '9' || lpad(length(digits)::text, 3, '0') || digits
        END, '' ORDER BY place)
        FROM regexp_matches(folded, '([^0-9]*)([0-9]*)', 'g') WITH ORDINALITY AS found (part, place),
            ltrim(part[2], '0') AS digits
    );
END
$$;

-- What is equal in names that differ in case, accents and the like only: folded, with numbers by value. An index has room
-- for 255 characters.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(CASE
        WHEN octet_length(name) = length(name) AND translate(name, '0123456789', '') = name THEN search_fold(name)
        ELSE number_key(fold_nasals(search_fold(name)))
    END, 255);

-- What names are ordered by, byte by byte, the same on each server, as no collation is; then by the names as they are. No
-- name has the character between, or one before it.
CREATE FUNCTION sort_key(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
    RETURN name_key(name) || E'\x01' || name;
END
$$;

-- The same of a value of an attribute: numbers first, by their values, as so many digits after an offset; then other texts.
CREATE FUNCTION attribute_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value ~ '^-?[0-9]{1,15}(\.[0-9]{1,15})?$' THEN '0' || trim_scale(value::numeric + 2e15)::text
        ELSE '1' || name_key(value)
    END;
-- In PL/pgSQL, which prepares the expression once in a transaction: for a query, each record would.
CREATE FUNCTION sort_attributes(attributes jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
    sorted jsonb := '{}'; name text; value text;
BEGIN
    IF attributes = '{}' THEN
        RETURN NULL;
    END IF;
    FOR name, value IN SELECT * FROM jsonb_each_text(attributes) LOOP
        sorted := jsonb_set(sorted, ARRAY[name], to_jsonb(attribute_key(value) || E'\x01' || value));
    END LOOP;
    RETURN sorted;
END
$$;

-- How many names of existing records have each word, folded: a search that finds nothing looks for similar ones, in
-- milliseconds; among names it would take a second. A word may have several rows, whose counts add up: a transaction changes
-- one that no other has locked, or adds one, so that none waits for another to end. Room on the pages keeps an update of a
-- count out of the indexes.
CREATE TABLE search_words (word text NOT NULL, count integer NOT NULL) WITH (fillfactor = 80);
CREATE INDEX search_words_word_idx ON search_words (word);
CREATE INDEX search_words_similar_idx ON search_words USING gin (word gin_trgm_ops);

-- Not short ones, which resemble too many, nor those that are longer than any word, nor numbers. Between words are white
-- space, the punctuation of ASCII, dashes and quotation marks: [:punct:] depends on the locale, and may have signs that are
-- part of a word in Hindi.
CREATE FUNCTION search_words_of(name text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT DISTINCT word
    FROM regexp_split_to_table(
        search_fold(name), '[\s\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e\u2010-\u201f]+'
    ) AS word
    WHERE length(word) BETWEEN 4 AND 40 AND word !~ '[0-9]';
END;

-- SECURITY DEFINER: who changes the catalog may change its words.
CREATE FUNCTION count_search_words() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    names text[]; counts integer[]; changed_word text; added integer; place tid; left_over integer;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(name), array_agg(1) INTO names, counts FROM changed WHERE deleted_at IS NULL;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(name), array_agg(-1) INTO names, counts FROM changed WHERE deleted_at IS NULL;
    ELSE
        SELECT array_agg(name), array_agg(count) INTO names, counts FROM (
            SELECT name, sum(sign) AS count FROM (
                SELECT name, -1 AS sign FROM before WHERE deleted_at IS NULL
                UNION ALL SELECT name, 1 FROM changed WHERE deleted_at IS NULL
            ) AS named GROUP BY name HAVING sum(sign) <> 0
        ) AS renamed;
    END IF;
    FOR changed_word, added IN
        SELECT word, sum(count) FROM unnest(names, counts) AS named (name, count) CROSS JOIN search_words_of(name) AS word
        GROUP BY word HAVING sum(count) <> 0
    LOOP
        SELECT ctid INTO place FROM search_words WHERE word = changed_word LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            INSERT INTO search_words VALUES (changed_word, added);
        ELSE
            UPDATE search_words SET count = count + added WHERE ctid = place RETURNING count INTO left_over;
            IF left_over <= 0 THEN
                WITH gone AS (
                    DELETE FROM search_words WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM search_words WHERE word = changed_word FOR UPDATE SKIP LOCKED
                    )) RETURNING count
                )
                INSERT INTO search_words SELECT changed_word, sum(count) FROM gone HAVING sum(count) <> 0;
            END IF;
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

-- ----- The catalog. Deletion is soft: a row with deleted_at does not exist for readers, and can be restored.
-- updated_at and version are set by the service, not by triggers, so that a restored backup keeps them.

CREATE TABLE programs (
    id serial PRIMARY KEY,
    name text NOT NULL,
    duration text NOT NULL,
    -- The university's own; not unique, as universities reuse codes.
    code text,
    -- What the university has beside a name: texts by key.
    attributes jsonb NOT NULL DEFAULT '{}',
    -- Optimistic locking: an update may name the version that it has read.
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    deleted_at timestamptz(3),
    -- Stored, since a search reads them of each row that an index proposes, half of all for a common word; and
    -- PostgreSQL estimates by the statistics of a column, not by those of an expression in a partial index.
    searched_name text GENERATED ALWAYS AS (search_form(name, code)) STORED,
    searched_attributes text GENERATED ALWAYS AS (search_attributes(attributes)) STORED,
    sorted_name text COLLATE "C" GENERATED ALWAYS AS (sort_key(name)) STORED,
    -- Without an index: lists by these are sorted when they are read, in which the keys would take the most time.
    sorted_code text COLLATE "C" GENERATED ALWAYS AS (sort_key(nullif(code, ''))) STORED,
    sorted_duration text COLLATE "C" GENERATED ALWAYS AS (sort_key(duration)) STORED,
    sorted_attributes jsonb GENERATED ALWAYS AS (sort_attributes(attributes)) STORED
);

-- Pages by id. The primary key would do until thousands in a row are deleted, as those of a wrong import: 9 ms for a
-- page behind 23,000 of them, instead of 2.
CREATE INDEX programs_existing_id_idx ON programs (id) WHERE deleted_at IS NULL;
-- The import matches programs without a code by name and duration.
CREATE INDEX programs_name_duration_idx ON programs (name, duration);

CREATE TABLE branches (
    id serial PRIMARY KEY,
    -- Checked with FOR KEY SHARE, so adding a branch does not block an update of its program.
    program_id integer NOT NULL REFERENCES programs (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    -- As that of a program; often that of a branch of another program too.
    code text,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    -- The codes of its years: a prefix, and a number (L1) or a letter (LA).
    code_prefix text NOT NULL DEFAULT '',
    code_is_numeric boolean NOT NULL DEFAULT true,
    attributes jsonb NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    deleted_at timestamptz(3),
    -- Restoring a program restores those of its branches that were deleted with it, and not those deleted before.
    deleted_with_program boolean NOT NULL DEFAULT false,
    searched_name text GENERATED ALWAYS AS (search_form(name, code)) STORED,
    searched_attributes text GENERATED ALWAYS AS (search_attributes(attributes)) STORED,
    sorted_name text COLLATE "C" GENERATED ALWAYS AS (sort_key(name)) STORED,
    sorted_code text COLLATE "C" GENERATED ALWAYS AS (sort_key(nullif(code, ''))) STORED,
    sorted_attributes jsonb GENERATED ALWAYS AS (sort_attributes(attributes)) STORED
);

-- The branches of some programs, in order; with deleted_at, an index-only scan counts them. Serves the foreign key.
CREATE INDEX branches_program_id_id_deleted_at_idx ON branches (program_id, id, deleted_at);

-- TRUNCATE has no transition tables.
CREATE FUNCTION count_all_search_words() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM search_words;
    INSERT INTO search_words SELECT word, count(*) FROM (
        SELECT name FROM programs WHERE deleted_at IS NULL UNION ALL SELECT name FROM branches WHERE deleted_at IS NULL
    ) AS named CROSS JOIN search_words_of(name) AS word GROUP BY word;
    RETURN NULL;
END
$$;

-- What both have: the same indexes, and triggers for the words of their names: several, as one with a transition table
-- has one event. The dear indexes leave the deleted records out: there are few, or somebody deleted them at once, as the
-- undo of an import does, which would take twice as long.
DO $$
DECLARE
    kind text;
BEGIN
    FOREACH kind IN ARRAY ARRAY['programs', 'branches'] LOOP
        EXECUTE format($sql$
            -- Keyset pagination by name. Page 10,000 costs as much as 1. Names that differ in case and accents only find
            -- each other here.
            CREATE INDEX %1$s_sorted_name_id_idx ON %1$s (sorted_name, id);
            CREATE INDEX %1$s_created_at_id_idx ON %1$s (created_at, id);
            CREATE INDEX %1$s_updated_at_id_idx ON %1$s (updated_at, id);
            -- The deleted ones, latest first. Only deleting and restoring write to it.
            CREATE INDEX %1$s_deleted_at_id_idx ON %1$s (deleted_at, id) WHERE deleted_at IS NOT NULL;
            -- The import matches its rows by code, else by name.
            CREATE INDEX %1$s_code_idx ON %1$s (code);
            -- attributes @> '{"level": "Diploma"}'
            CREATE INDEX %1$s_attributes_idx ON %1$s USING gin (attributes jsonb_path_ops) WHERE deleted_at IS NULL;
            -- searched_name LIKE search_pattern($1). Trigrams find a part of a word; words of one or two characters
            -- have none, and are looked for in all rows. The dearest index: with it, an insert costs 2.7 times as much.
            CREATE INDEX %1$s_search_idx ON %1$s USING gin (searched_name gin_trgm_ops) WHERE deleted_at IS NULL;
            -- A search by a code or its beginning, which ranks first.
            CREATE INDEX %1$s_search_code_idx ON %1$s (search_fold(code) text_pattern_ops);
            -- Records without attributes cost nothing here.
            CREATE INDEX %1$s_search_attributes_idx ON %1$s USING gin (searched_attributes gin_trgm_ops)
                WHERE deleted_at IS NULL AND searched_attributes IS NOT NULL;

            CREATE TRIGGER %1$s_named AFTER INSERT ON %1$s
                REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_search_words();
            CREATE TRIGGER %1$s_renamed AFTER UPDATE ON %1$s
                REFERENCING OLD TABLE AS before NEW TABLE AS changed
                FOR EACH STATEMENT EXECUTE FUNCTION count_search_words();
            CREATE TRIGGER %1$s_unnamed AFTER DELETE ON %1$s
                REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_search_words();
            CREATE TRIGGER %1$s_emptied AFTER TRUNCATE ON %1$s
                FOR EACH STATEMENT EXECUTE FUNCTION count_all_search_words();
            ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %1$s_named, ENABLE ALWAYS TRIGGER %1$s_renamed,
                ENABLE ALWAYS TRIGGER %1$s_unnamed, ENABLE ALWAYS TRIGGER %1$s_emptied;
        $sql$, kind);
    END LOOP;
END
$$;

CREATE TABLE branch_years (
    id serial PRIMARY KEY,
    branch_id integer NOT NULL REFERENCES branches (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    -- The rules of input are the service's. Checks like this one catch a slip of the hand in psql.
    year integer NOT NULL CHECK (year >= 1),
    -- Computed by the service, and stored, so that SQL of others can join on it.
    code text NOT NULL
);

-- The years of some branches, in order. Serves the foreign key.
CREATE UNIQUE INDEX branch_years_branch_id_year_key ON branch_years (branch_id, year);
CREATE INDEX branch_years_code_idx ON branch_years (code);

-- ----- Accounts

CREATE TABLE users (
    id serial PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('guest', 'viewer', 'editor', 'admin')),
    disabled boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Of a user who signs in elsewhere: the identity provider, and who they are there, since names may change.
    issuer text,
    subject text
);

CREATE UNIQUE INDEX users_name_key ON users (name);
CREATE UNIQUE INDEX users_issuer_subject_key ON users (issuer, subject);

CREATE TABLE api_keys (
    id serial PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    name text NOT NULL DEFAULT '',
    -- SHA-256: a key has 190 random bits, which a slow hash with a salt would not make harder to guess.
    hash bytea NOT NULL,
    prefix text NOT NULL,
    read_only boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    -- Written by a job for many keys at a time, and in no index: a HOT update.
    last_used_at timestamptz(3),
    -- A session is a key in a cookie: each use moves expires_at on, up to ends_at.
    kind text NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'session')),
    ends_at timestamptz(3) CHECK ((ends_at IS NULL) = (kind = 'key')),
    -- The key or session that it was made with, and is revoked with. Null where there was none: on the command line, with a
    -- token, and in a session that began at the identity provider, which is its owner in person.
    made_with integer REFERENCES api_keys (id) ON DELETE SET NULL ON UPDATE CASCADE,
    -- The key, or the session, whose place it has taken.
    replaces integer REFERENCES api_keys (id) ON DELETE SET NULL ON UPDATE CASCADE,
    -- Of a session that began at the identity provider; of one of a token, and of all that was made with a token.
    source text CHECK (source IN ('provider', 'token')),
    -- The session at the identity provider, which may end it.
    provider_session text
);

CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE INDEX api_keys_user_id_idx ON api_keys (user_id);
-- Serve the foreign keys, and find what is revoked with a key.
CREATE INDEX api_keys_made_with_idx ON api_keys (made_with);
CREATE INDEX api_keys_replaces_idx ON api_keys (replaces);

-- What encrypts the cookies of sign-ins, for all instances: a client of an identity provider need not have a secret. Of this
-- database alone, so in no backup.
CREATE TABLE sign_in_secret (value text NOT NULL);
INSERT INTO sign_in_secret VALUES (gen_random_uuid()::text || gen_random_uuid()::text);

-- ----- The audit log: written in the transaction of the change. It refers to nothing, as it outlives what it is about.

CREATE TABLE audit_entries (
    id serial PRIMARY KEY,
    at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    actor text NOT NULL,
    key_id integer,
    request_id text,
    -- Entries of one change have it in common: an import, a mutation of one record or of many.
    change_id uuid NOT NULL DEFAULT gen_random_uuid(),
    action text NOT NULL,
    subject text NOT NULL,
    subject_id integer,
    before jsonb,
    after jsonb
);

-- The history of a record; then the filters, each followed by id, in which the log is paged.
CREATE INDEX audit_entries_subject_subject_id_id_idx ON audit_entries (subject, subject_id, id);
CREATE INDEX audit_entries_actor_id_idx ON audit_entries (actor, id);
CREATE INDEX audit_entries_change_id_id_idx ON audit_entries (change_id, id);
CREATE INDEX audit_entries_at_id_idx ON audit_entries (at, id);
-- The last changes, and how many records each has; changes per day, counted by an index-only scan. It has all that the
-- change log filters by: where few of a million entries match, the index is read and not the log. Entries of one change
-- that did the same are one key, so that it is small.
CREATE INDEX audit_entries_change_log_idx ON audit_entries (at, change_id, subject, action, actor);
-- Common actions are found among the newest entries, rare ones are not: an index of those alone stays small.
CREATE INDEX audit_entries_rare_action_id_idx ON audit_entries (action, id)
    WHERE action NOT IN ('create', 'update', 'delete');
-- Deletions in the change log, of which a million entries may have few.
CREATE INDEX audit_entries_deletions_idx ON audit_entries (at, change_id) WHERE action IN ('delete', 'restore');
-- By which change another was undone.
CREATE INDEX audit_entries_undone_idx ON audit_entries ((after ->> 'changeId')) WHERE action = 'undo';
-- The history of a program with its branches: their entries by the program that they leave the branch in, and those by
-- which it left another.
CREATE INDEX audit_entries_branch_program_idx ON audit_entries (((coalesce(after, before) ->> 'programId')::int), id)
    WHERE subject = 'Branch';
CREATE INDEX audit_entries_branch_left_idx ON audit_entries (((before ->> 'programId')::int), id)
    WHERE subject = 'Branch' AND before ->> 'programId' <> after ->> 'programId';

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'audit entries are never changed or deleted'; END $$;

-- For each statement, so that TRUNCATE is covered. The removal of old entries disables it, which takes the owner of the
-- table and an ACCESS EXCLUSIVE lock.
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();

-- ----- Notes of people on records, and views of lists that they save. Names of users are those of the time: a note stays
-- when its author is deleted.

CREATE TABLE notes (
    id serial PRIMARY KEY,
    program_id integer REFERENCES programs (id) ON DELETE CASCADE ON UPDATE CASCADE,
    branch_id integer REFERENCES branches (id) ON DELETE CASCADE ON UPDATE CASCADE,
    text text NOT NULL,
    author text NOT NULL,
    author_id integer REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
    -- For whom it is, if for one.
    addressee text,
    addressee_id integer REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    done_at timestamptz(3),
    done_by text,
    CHECK (num_nonnulls(program_id, branch_id) = 1),
    CHECK ((done_at IS NULL) = (done_by IS NULL))
);

-- Serve the foreign keys.
CREATE INDEX notes_program_id_idx ON notes (program_id);
CREATE INDEX notes_branch_id_idx ON notes (branch_id);
CREATE INDEX notes_author_id_idx ON notes (author_id);
CREATE INDEX notes_addressee_id_idx ON notes (addressee_id);
CREATE INDEX notes_open_idx ON notes (id) WHERE done_at IS NULL;

CREATE TABLE saved_views (
    id serial PRIMARY KEY,
    -- Null once the owner of a view for all is deleted.
    user_id integer REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
    list text NOT NULL CHECK (list IN ('programs', 'branches')),
    name text NOT NULL,
    search text NOT NULL,
    is_shared boolean NOT NULL DEFAULT false,
    updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE UNIQUE INDEX saved_views_user_id_list_name_key ON saved_views (user_id, list, name);
CREATE INDEX saved_views_shared_idx ON saved_views (list, name) WHERE is_shared;

-- ----- Idempotency keys: the response to the first request, replayed for 24 hours.

CREATE TABLE idempotency_records (
    -- SHA-256 of the user, the endpoint and the key. Inserting it is the claim: a second request waits for the first.
    id bytea PRIMARY KEY,
    -- SHA-256 of the request: another one under the same key is an error.
    fingerprint bytea NOT NULL,
    outcome text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idempotency_records_created_at_idx ON idempotency_records (created_at);

-- ----- The change log: one row per transaction that changes the catalog, users or keys. Instances poll it several
-- times a second for rows that have become visible since their last snapshot, to invalidate caches and send events.
-- Triggers write it, so that a change by psql, an import or another service is in it too. Kept for seven days.
--
-- Not NOTIFY: it serializes commits by a lock on the whole server, a missed connection misses it, and a pooler may not
-- support LISTEN. Here, the only lock is on a row that no other transaction writes, so PostgreSQL can group commits.

CREATE TABLE change_log (
    id bigserial PRIMARY KEY,
    -- pg_visible_in_snapshot(xid, snapshot) says exactly what a reader has seen. Ids alone do not: they are drawn
    -- before the commit, so that a smaller one may become visible after a larger one.
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- Up to 100 changed records, and up to 200 programs that changed themselves or in a branch; null means any.
    records jsonb DEFAULT '[]',
    programs integer[] DEFAULT ARRAY[]::integer[],
    -- Whether users or keys changed.
    access boolean NOT NULL DEFAULT false
);

-- Finds the entry of the current transaction (ON CONFLICT), and those since a snapshot.
CREATE UNIQUE INDEX change_log_xid_key ON change_log (xid);

-- Never empty: an instance recognizes the log by its last entry, and reads all anew after a failover or a restore.
INSERT INTO change_log DEFAULT VALUES;

-- The records of an entry together with those of its next statement; null when they are too many to list. An update of
-- a record that is listed already says nothing new: a deleted one is not updated before it is created again. So 100
-- branches created with their years are 100 records.
CREATE FUNCTION merge_log_records(listed jsonb, added jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    RETURN (
        SELECT CASE WHEN jsonb_array_length(listed) + count(*) <= 100
            THEN listed || coalesce(jsonb_agg(record), '[]') END
        FROM jsonb_array_elements(added) AS record
        WHERE record ->> 'action' <> 'UPDATE' OR record ? 'previousProgramId'
            OR NOT listed @> jsonb_build_array(record - 'action')
    );
END
$$;

-- Each statement draws a new id while it holds the locks of the rows that it changed: of two transactions that change
-- the same row, the one that commits first has the smaller id. SECURITY DEFINER: who changes the catalog may write it.
CREATE FUNCTION add_to_change_log(new_records jsonb, new_programs integer[], new_access boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO change_log AS entry (records, programs, access)
    VALUES (new_records, new_programs, new_access)
    ON CONFLICT (xid) DO UPDATE SET
        id = nextval('change_log_id_seq'),
        at = clock_timestamp(),
        records = merge_log_records(entry.records, new_records),
        programs = CASE WHEN entry.programs IS NOT NULL AND new_programs IS NOT NULL THEN (
            SELECT CASE WHEN count(*) <= 200 THEN coalesce(array_agg(program ORDER BY program), '{}') END
            FROM (SELECT DISTINCT unnest(entry.programs || new_programs) AS program) AS touched
        ) END,
        access = entry.access OR new_access;
END
$$;

-- What an update means for readers, who saw the record before and see it after; null for one that stays deleted.
CREATE FUNCTION update_action(existed boolean, before boolean, after boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN before AND after THEN 'UPDATE' WHEN before THEN 'DELETE'
        WHEN after AND existed THEN 'RESTORE' WHEN after THEN 'CREATE' END
$$;

-- A statement that changes more rows than this is logged as a change of everything, without reading them.
CREATE FUNCTION log_rows_max() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 10000';

-- Logs the changes of one statement: an id, a program, an action and details for each record. One without an action is
-- listed under its program only (a change of a soft-deleted record). More programs are those that branches have left.
CREATE FUNCTION log_rows(kind text, ids integer[], programs integer[], actions text[], details jsonb[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF ids IS NULL THEN
        RETURN;
    END IF;
    PERFORM add_to_change_log(
        CASE WHEN cardinality(array_remove(actions, NULL)) <= 100 THEN coalesce((
            SELECT jsonb_agg(jsonb_build_object('kind', kind, 'action', action, 'id', id, 'programId', program)
                || coalesce(detail, '{}'))
            FROM unnest(ids, programs, actions, details) AS changed (id, program, action, detail)
            WHERE action IS NOT NULL
        ), '[]') END,
        (SELECT CASE WHEN count(*) <= 200 THEN array_agg(program ORDER BY program) END FROM (
            SELECT DISTINCT program FROM unnest(programs) AS program WHERE program IS NOT NULL LIMIT 201
        ) AS touched),
        false);
END
$$;

-- The trigger functions set their search_path: pg_dump --data-only is restored with an empty one. What they call
-- inherits theirs. Each is written once for the three events, which need a trigger each: with transition tables, a
-- trigger has one event, and sees the tables of that event only, as plpgsql plans a statement when it first runs it.
-- Those of programs and of branches differ in the column with the id of the program. A branch that moves to another
-- program is logged with both; a removed row with its last version, which subscribers get, and nobody can read again.
DO $$
DECLARE
    logged text; kind text; program text;
BEGIN
    FOR logged, kind, program IN VALUES ('programs', 'PROGRAM', 'id'), ('branches', 'BRANCH', 'program_id') LOOP
        EXECUTE format($function$
CREATE FUNCTION log_%1$s() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
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
            array_agg(CASE WHEN TG_OP = 'DELETE' AND count <= 100
                THEN jsonb_build_object('removed', to_jsonb(changed)) END)
        INTO ids, programs, actions, details FROM changed;
    END IF;
    PERFORM log_rows('%2$s', ids, programs, actions, details);
    RETURN NULL;
END
$body$ $function$, logged, kind, program);
    END LOOP;
END
$$;

-- A change of a year is an update of its branch. OFFSET 0 keeps the lookup of each branch by key: a join would be
-- planned once per connection, for its first statement, and could then scan all branches for each small one. A branch
-- that is missing was deleted in the same transaction, which is logged too.
CREATE FUNCTION log_branch_years() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    touched integer[] := ARRAY(SELECT DISTINCT branch_id FROM changed ORDER BY branch_id);
    ids integer[]; programs integer[]; actions text[];
BEGIN
    IF TG_OP = 'UPDATE' THEN
        touched := ARRAY(SELECT branch_id FROM before UNION SELECT branch_id FROM changed ORDER BY branch_id);
    END IF;
    IF cardinality(touched) > log_rows_max() THEN
        PERFORM add_to_change_log(NULL, NULL, false);
    ELSE
        SELECT array_agg(id), array_agg(program_id), array_agg(CASE WHEN deleted_at IS NULL THEN 'UPDATE' END)
        INTO ids, programs, actions
        FROM unnest(touched) AS branch (id) CROSS JOIN LATERAL (
            SELECT program_id, deleted_at FROM branches WHERE branches.id = branch.id OFFSET 0
        ) AS found;
    END IF;
    PERFORM log_rows('BRANCH', ids, programs, actions, NULL);
    RETURN NULL;
END
$$;

-- A note on a record: subscribers that ask for notes are notified, and no cached response shows any.
CREATE FUNCTION log_notes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    records jsonb := (
        SELECT CASE WHEN count(*) <= 100 THEN jsonb_agg(jsonb_build_object(
            'kind', CASE WHEN branch_id IS NULL THEN 'PROGRAM' ELSE 'BRANCH' END, 'action', 'NOTE',
            'id', coalesce(branch_id, noted.program_id), 'programId', coalesce(branches.program_id, noted.program_id)
        )) END
        FROM (SELECT DISTINCT program_id, branch_id FROM changed) AS noted LEFT JOIN branches ON branches.id = branch_id
        WHERE branch_id IS NULL OR branches.id IS NOT NULL
    );
BEGIN
    IF EXISTS (SELECT FROM changed) THEN
        PERFORM add_to_change_log(records, '{}', false);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION log_everything() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS
    $$ BEGIN PERFORM add_to_change_log(NULL, NULL, false); RETURN NULL; END $$;

CREATE FUNCTION log_access() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS
    $$ BEGIN PERFORM add_to_change_log('[]', '{}', true); RETURN NULL; END $$;

-- For each statement, not for each row: an import of 10,000 branches is logged once. ENABLE ALWAYS: also with
-- session_replication_role = replica, which some tools use for replay. TRUNCATE has no transition tables.
DO $$
DECLARE
    logged text;
BEGIN
    FOREACH logged IN ARRAY ARRAY['programs', 'branches', 'branch_years'] LOOP
        EXECUTE format('
            CREATE TRIGGER %1$s_inserted AFTER INSERT ON %1$s
                REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_%1$s();
            CREATE TRIGGER %1$s_updated AFTER UPDATE ON %1$s
                REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_%1$s();
            CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$s
                REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_%1$s();
            CREATE TRIGGER %1$s_truncated AFTER TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION log_everything();
            ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %1$s_inserted, ENABLE ALWAYS TRIGGER %1$s_updated,
                ENABLE ALWAYS TRIGGER %1$s_deleted, ENABLE ALWAYS TRIGGER %1$s_truncated', logged);
    END LOOP;
END
$$;

CREATE TRIGGER notes_inserted AFTER INSERT ON notes
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_notes();
CREATE TRIGGER notes_updated AFTER UPDATE ON notes
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_notes();
CREATE TRIGGER notes_deleted AFTER DELETE ON notes
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_notes();
ALTER TABLE notes ENABLE ALWAYS TRIGGER notes_inserted, ENABLE ALWAYS TRIGGER notes_updated,
    ENABLE ALWAYS TRIGGER notes_deleted;

CREATE TRIGGER users_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON users
    FOR EACH STATEMENT EXECUTE FUNCTION log_access();
-- Not last_used_at, on which no cached value depends.
CREATE TRIGGER api_keys_changed
    AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF user_id, hash, read_only, expires_at, revoked_at ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION log_access();
ALTER TABLE users ENABLE ALWAYS TRIGGER users_changed;
ALTER TABLE api_keys ENABLE ALWAYS TRIGGER api_keys_changed;
