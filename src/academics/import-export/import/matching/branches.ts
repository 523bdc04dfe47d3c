/**
 * SQL of existing branches by name. Two codes are two branches, whatever their names: branches without a code come
 * first, and match each other; they are numbered with those that rows name by id, as this name, as with codes.
 */
export const namedBranches = `
  SELECT b.id, program_id, b.name, has_code, named.id IS NOT NULL AS is_matched,
    row_number() OVER (PARTITION BY program_id, b.name COLLATE "C" ORDER BY has_code, b.id) AS place
  FROM branches b CROSS JOIN LATERAL (SELECT coalesce(code, '') <> '' AS has_code) coded
  LEFT JOIN (
    SELECT DISTINCT ON (id) id, name, code AS named_code FROM branch_refs WHERE id IS NOT NULL ORDER BY id, number
  ) named USING (id)
  WHERE deleted_at IS NULL AND program_id IN (SELECT program_id FROM branch_refs WHERE id IS NULL)
    AND (named.id IS NULL OR NOT has_code AND coalesce(named_code, '') = '' AND named.name = b.name)`;
const wantedByName = `
  SELECT number, program_id, name, id, has_code, CASE WHEN has_code
    THEN coalesce(max(branch_occurrence) FILTER (WHERE NOT has_code) OVER (PARTITION BY program_id, name COLLATE "C"), 0)
      + row_number() OVER (PARTITION BY program_id, name COLLATE "C", has_code, id IS NULL ORDER BY number)
    ELSE branch_occurrence END AS place
  FROM branch_refs CROSS JOIN LATERAL (SELECT coalesce(code, '') <> '' AS has_code) coded
  WHERE program_id IS NOT NULL`;

/** SQL of existing branches by the codes of references, numbered, but those that are named by id as what they shall be. */
export const codedBranches = `
  SELECT program_id, code, b.id, row_number() OVER (PARTITION BY program_id, code ORDER BY b.id) AS occurrence
  FROM (SELECT DISTINCT program_id, code FROM branch_refs WHERE code <> '') coded
  JOIN branches b USING (program_id, code) WHERE b.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM branch_refs named WHERE named.id = b.id AND named.code IS DISTINCT FROM coded.code)`;

/**
 * Each branch that rows name, as they name it, with the id of an existing one of its program: the named id; else the code,
 * then the new code, then the name, of those that no row names by their id. Equal ones are numbered as programs are.
 */
export const matchBranches = `
  INSERT INTO branch_refs
  SELECT *, given ->> 'name' AS name, (given ->> 'years')::integer AS years, NULL::integer AS id, NULL::integer AS wanted
  FROM (
    SELECT DISTINCT ON (p.wanted, s.branch_given_id, s.branch_key, s.branch_occurrence)
      s.number, s.line, p.wanted AS program_number, p.id AS program_id, s.branch_given_id, s.branch_key,
      s.branch_occurrence, s.branch_code AS code, s.branch AS given
    FROM staged_rows s JOIN program_refs p USING (program_given_id, program_key, program_occurrence)
    WHERE s.branch_key IS NOT NULL
    ORDER BY p.wanted, s.branch_given_id, s.branch_key, s.branch_occurrence, s.number
  ) first_rows;
  ANALYZE branch_refs (number, program_number, program_id, branch_given_id, branch_key, branch_occurrence, code, name);

  UPDATE branch_refs r SET id = b.id FROM branches b WHERE b.id = r.branch_given_id AND b.program_id = r.program_id;

  UPDATE branch_refs r SET id = same.id
  FROM (
    SELECT DISTINCT ON (program_number, branch_key, branch_occurrence) program_number, branch_key, branch_occurrence, id
    FROM branch_refs WHERE id IS NOT NULL ORDER BY program_number, branch_key, branch_occurrence, number
  ) same
  WHERE r.id IS NULL AND r.program_number = same.program_number AND r.branch_key = same.branch_key
    AND r.branch_occurrence = same.branch_occurrence;

  UPDATE branch_refs r SET id = found.id
  FROM (${codedBranches}) found
  WHERE r.id IS NULL AND found.program_id = r.program_id AND found.code = r.code
    AND found.occurrence = r.branch_occurrence AND NOT EXISTS (SELECT FROM branch_refs named WHERE named.id = found.id);

  UPDATE branch_refs r SET id = found.id
  FROM (
    SELECT DISTINCT ON (b.program_id, b.code) r.number, b.id
    FROM (
      SELECT DISTINCT ON (program_id, given ->> 'code') number, program_id, given ->> 'code' AS code, name AS given_name
      FROM branch_refs
      WHERE id IS NULL AND given ->> 'code' <> coalesce(code, '') ORDER BY program_id, given ->> 'code', number
    ) r JOIN branches b USING (program_id, code)
    WHERE b.deleted_at IS NULL AND NOT EXISTS (SELECT FROM branch_refs named WHERE named.id = b.id)
    ORDER BY b.program_id, b.code, b.name <> given_name, b.id
  ) found
  WHERE r.number = found.number;

  UPDATE branch_refs r SET id = b.id
  FROM (${wantedByName}) wanted JOIN (${namedBranches}) b USING (program_id, name, place)
  WHERE r.number = wanted.number AND wanted.id IS NULL AND NOT b.is_matched AND NOT (wanted.has_code AND b.has_code)`;

/** The branches that are wanted: of those that are one record, the first row takes precedence. */
export const wantBranches = `
  UPDATE branch_refs r SET wanted = of_record.first
  FROM (
    SELECT number, min(number) OVER (PARTITION BY id, CASE WHEN id IS NULL THEN program_number END,
      CASE WHEN id IS NULL THEN branch_key END, CASE WHEN id IS NULL THEN branch_occurrence END) AS first
    FROM branch_refs
  ) of_record
  WHERE of_record.number = r.number;

  INSERT INTO wanted_branches SELECT * FROM branch_refs WHERE number = wanted;
  ANALYZE branch_refs (id, wanted);
  ANALYZE wanted_branches (number, program_number, program_id, code, name, id)`;
