/** A table, and a log of the notes that each of its transactions made. */
export const createNotesLog = `
  CREATE TABLE notes (id int PRIMARY KEY);
  CREATE TABLE log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid xid8 NOT NULL UNIQUE DEFAULT pg_current_xact_id(),
    at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    notes jsonb NOT NULL
  )`;
