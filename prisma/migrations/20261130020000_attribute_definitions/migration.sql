-- Definitions of attributes. Two new tables; nothing is read or locked.

CREATE TABLE attribute_definitions (
    id serial PRIMARY KEY,
    key text NOT NULL CONSTRAINT attribute_definitions_key_check CHECK (key ~ '^[A-Za-z0-9_.-]{1,40}$'),
    of_programs boolean NOT NULL,
    of_branches boolean NOT NULL,
    label text NOT NULL CONSTRAINT attribute_definitions_label_check CHECK (label <> ''),
    help text NOT NULL DEFAULT '',
    kind text NOT NULL CONSTRAINT attribute_definitions_kind_check
        CHECK (kind IN ('TEXT', 'CHOICE', 'WHOLE_NUMBER', 'DECIMAL', 'DATE', 'YES_NO', 'ADDRESS')),
    required boolean NOT NULL DEFAULT false,
    -- The order of forms: 1 and following.
    position integer NOT NULL,
    version integer NOT NULL DEFAULT 1,
    CONSTRAINT attribute_definitions_of_check CHECK (of_programs OR of_branches)
);

CREATE UNIQUE INDEX attribute_definitions_key_key ON attribute_definitions (key);

CREATE TABLE attribute_choices (
    definition_id integer NOT NULL,
    value text NOT NULL CONSTRAINT attribute_choices_value_check CHECK (value <> ''),
    label text NOT NULL,
    position integer NOT NULL,
    -- No longer for new values; those that records have stay.
    retired boolean NOT NULL DEFAULT false,
    -- The value that took its place.
    replaced_by text,
    PRIMARY KEY (definition_id, value),
    CONSTRAINT attribute_choices_definition_id_fkey FOREIGN KEY (definition_id) REFERENCES attribute_definitions (id)
        ON UPDATE CASCADE ON DELETE CASCADE
);

-- Definitions decide what lists and statistics of the whole catalog show, but change no record: all cached responses are
-- invalid, in all instances, and subscribers get no event.
CREATE FUNCTION log_definitions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS
    $$ BEGIN PERFORM add_to_change_log('[]', NULL, false); RETURN NULL; END $$;

CREATE TRIGGER attribute_definitions_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON attribute_definitions
    FOR EACH STATEMENT EXECUTE FUNCTION log_definitions();
CREATE TRIGGER attribute_choices_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON attribute_choices
    FOR EACH STATEMENT EXECUTE FUNCTION log_definitions();
ALTER TABLE attribute_definitions ENABLE ALWAYS TRIGGER attribute_definitions_changed;
ALTER TABLE attribute_choices ENABLE ALWAYS TRIGGER attribute_choices_changed;
