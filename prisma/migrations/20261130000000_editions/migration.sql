-- Editions: the catalog as it was frozen. Two new tables; nothing is read or locked.

CREATE TABLE editions (
    id serial PRIMARY KEY,
    name text NOT NULL CONSTRAINT editions_name_check CHECK (name <> ''),
    note text NOT NULL DEFAULT '',
    -- Of the snapshot.
    at timestamptz(3) NOT NULL,
    -- SHA-256, in hex, of the lines.
    checksum text NOT NULL CONSTRAINT editions_checksum_check CHECK (checksum ~ '^[0-9a-f]{64}$'),
    programs integer NOT NULL,
    branches integer NOT NULL,
    created_by text NOT NULL
);

CREATE UNIQUE INDEX editions_name_key ON editions (name);

-- Some hundred lines each, with their line breaks: PostgreSQL compresses them to an eighth of what single rows take. They
-- are written before their edition, whose checksum is that of all.
CREATE TABLE edition_chunks (
    edition_id integer NOT NULL,
    position integer NOT NULL,
    lines text NOT NULL,
    PRIMARY KEY (edition_id, position),
    CONSTRAINT edition_chunks_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES editions (id)
        ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
);

CREATE FUNCTION refuse_change_of_edition() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'editions are never changed; only the command line deletes one'; END $$;

-- As those of the audit log.
CREATE TRIGGER editions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON editions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_edition();
CREATE TRIGGER edition_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON edition_chunks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_edition();
