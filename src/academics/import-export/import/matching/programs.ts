/** Existing programs by the keys of rows, without regard to ids: the first of those that are equal has occurrence 1. */
export const naturalPrograms = (refs: string, condition = ''): string => `
  SELECT program_key, id, row_number() OVER (PARTITION BY program_key ORDER BY id) AS occurrence
  FROM (
    SELECT program_key, p.id FROM (SELECT DISTINCT program_key, code FROM ${refs} WHERE code <> '') coded
    JOIN programs p USING (code) WHERE p.deleted_at IS NULL
    UNION ALL
    SELECT program_key, p.id
    FROM (SELECT DISTINCT program_key, name, duration FROM ${refs} WHERE coalesce(code, '') = '') named
    JOIN programs p USING (name, duration) WHERE coalesce(p.code, '') = '' AND p.deleted_at IS NULL
  ) alike ${condition}`;

/**
 * The same of references. A record that a row names by its id, as what it shall be, is none of those that its present name
 * or code numbers: a new record with these would be created again and again.
 */
export const naturalOfRefs = (refs: string): string =>
  naturalPrograms(
    refs,
    `WHERE NOT EXISTS (SELECT FROM program_refs named WHERE named.id = alike.id AND named.program_key <> alike.program_key)`,
  );

/**
 * Each program that rows name, as they name it, with the id of an existing one: the named id; else the code, or name and
 * duration among those without a code, of records that no row names by their id. Among equals, occurrence 1 matches the
 * oldest, 2 the next, and so on, whichever others the file has. A code that is new here may be there since an import before.
 */
export const matchPrograms = `
  INSERT INTO program_refs
  SELECT *, given ->> 'name' AS name, given ->> 'duration' AS duration,
    nullif(program_given_id, 0) AS id, NULL::integer AS wanted
  FROM (
    SELECT DISTINCT ON (program_given_id, program_key, program_occurrence)
      number, line, program_given_id, program_key, program_occurrence, program_code AS code, program AS given
    FROM staged_rows
    ORDER BY program_given_id, program_key, program_occurrence, number
  ) first_rows;
  ANALYZE program_refs (number, program_given_id, program_key, program_occurrence, code, name, duration, id);

  UPDATE program_refs r SET id = same.id
  FROM (
    SELECT DISTINCT ON (program_key, program_occurrence) program_key, program_occurrence, id
    FROM program_refs WHERE id IS NOT NULL ORDER BY program_key, program_occurrence, number
  ) same
  WHERE r.id IS NULL AND r.program_key = same.program_key AND r.program_occurrence = same.program_occurrence;

  UPDATE program_refs r SET id = found.id
  FROM (${naturalOfRefs('program_refs')}) found
  WHERE r.id IS NULL AND found.program_key = r.program_key AND found.occurrence = r.program_occurrence
    AND NOT EXISTS (SELECT FROM program_refs named WHERE named.id = found.id);

  UPDATE program_refs r SET id = found.id
  FROM (
    SELECT DISTINCT ON (p.code) r.number, p.id
    FROM (
      SELECT DISTINCT ON (given ->> 'code') number, given ->> 'code' AS code, name AS given_name FROM program_refs
      WHERE id IS NULL AND given ->> 'code' <> coalesce(code, '') ORDER BY given ->> 'code', number
    ) r JOIN programs p USING (code)
    WHERE p.deleted_at IS NULL AND NOT EXISTS (SELECT FROM program_refs named WHERE named.id = p.id)
    ORDER BY p.code, p.name <> given_name, p.id
  ) found
  WHERE r.number = found.number`;

/** The programs that are wanted: of those that are one record, the first row takes precedence. */
export const wantPrograms = `
  UPDATE program_refs r SET wanted = of_record.first
  FROM (
    SELECT number, min(number) OVER (PARTITION BY id, CASE WHEN id IS NULL THEN program_key END,
      CASE WHEN id IS NULL THEN program_occurrence END) AS first
    FROM program_refs
  ) of_record
  WHERE of_record.number = r.number;

  INSERT INTO wanted_programs SELECT * FROM program_refs WHERE number = wanted;
  ANALYZE program_refs (id, wanted);
  ANALYZE wanted_programs (number, code, name, duration, id)`;
