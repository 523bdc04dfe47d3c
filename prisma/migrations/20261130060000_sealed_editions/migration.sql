-- An edition that is there gets no further chunk. A new function and trigger; nothing is read, the table is locked for an
-- instant.

-- Chunks are written before their edition, which seals them.
CREATE FUNCTION refuse_chunk_of_edition() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT FROM editions WHERE id = NEW.edition_id) THEN
        RAISE EXCEPTION 'editions are never changed; this one is whole';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER edition_chunks_sealed BEFORE INSERT ON edition_chunks
    FOR EACH ROW EXECUTE FUNCTION refuse_chunk_of_edition();
