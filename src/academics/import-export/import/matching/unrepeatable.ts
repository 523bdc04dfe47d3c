import { type KindWord, tableOf } from '../../../kinds.ts';
import { rowsOf } from '../tables.ts';
import { codedBranches, namedBranches } from './branches.ts';
import { naturalOfRefs } from './programs.ts';

/** SQL of rows that would name other records when the file is imported again. */
export const unrepeatable = (kind: KindWord): string =>
  [numberedAnew, withNoneBefore, numberOfNamed].map((rows) => rows(kind)).join(' UNION ALL ');

/**
 * Rows without ids of which one gets the code that another has or gets: once they are imported, the code is of another
 * record, so that the file, when it comes again, would exchange or double them.
 */
function numberedAnew(kind: KindWord): string {
  const scope = kind === 'program' ? '' : 'program_number, ';
  const refs = `(SELECT *, given ->> 'code' AS new_code FROM ${kind}_refs) ref`;
  const isNew = `new_code <> coalesce(code, '')`;
  return `
  SELECT s.number, CASE WHEN is_new THEN 'newCodeElsewhere' ELSE 'codeNewElsewhere' END, '${kind}', 0, held,
    CASE WHEN taken.line = first_line THEN second_line ELSE first_line END, NULL, NULL, NULL
  FROM ${rowsOf[kind]} JOIN (
    SELECT *, first_value(line) OVER of_code AS first_line, nth_value(line, 2) OVER of_code AS second_line,
      bool_or(is_new) OVER of_code AND bool_or(${kind}_given_id = 0) OVER of_code AS is_wrong
    FROM (
      SELECT ${scope}number, line, ${kind}_given_id, code AS held, false AS is_new FROM ${refs}
      WHERE ${kind}_given_id = 0 AND (${scope}code) IN (SELECT ${scope}new_code FROM ${refs} WHERE ${isNew})
      UNION ALL SELECT ${scope}number, line, ${kind}_given_id, new_code, true FROM ${refs} WHERE ${isNew}
    ) holder
    WINDOW of_code AS (PARTITION BY ${scope}held ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ) taken ON taken.number = r.number
  WHERE is_wrong AND second_line IS NOT NULL`;
}

/** What rows with a number above 1 name of each kind, and the existing records of that key. */
const numbered = {
  program: {
    key: 'program_key',
    existing: naturalOfRefs('(SELECT * FROM program_refs WHERE program_occurrence > 1) numbered'),
  },
  branch: {
    key: 'program_number, branch_key',
    existing: `
      SELECT program_number, branch_key, b.id
      FROM (SELECT DISTINCT program_number, program_id, branch_key, code FROM branch_refs WHERE branch_occurrence > 1) numbered
      JOIN (${codedBranches}) b USING (program_id, code)
      UNION ALL
      SELECT program_number, branch_key, b.id
      FROM (SELECT DISTINCT program_number, program_id, branch_key, name FROM branch_refs
        WHERE branch_occurrence > 1 AND coalesce(code, '') = '') numbered
      JOIN (${namedBranches}) b USING (program_id, name) WHERE NOT has_code`,
  },
} as const;

/** Rows of new records whose number is not the next one: created as that, they would be created again. */
function withNoneBefore(kind: KindWord): string {
  const { key, existing } = numbered[kind];
  return `
  SELECT s.number, 'noneBefore', '${kind}', 0, s.${kind}_occurrence::text, NULL, NULL, NULL, NULL
  FROM ${rowsOf[kind]} JOIN (
    SELECT number FROM (
      SELECT *, row_number() OVER (PARTITION BY ${key} ORDER BY ${kind}_occurrence) AS place
      FROM ${kind}_refs WHERE id IS NULL
        AND (${key}) IN (SELECT ${key} FROM ${kind}_refs WHERE ${kind}_occurrence > 1)
    ) added LEFT JOIN (
      SELECT ${key}, count(*) AS records FROM (${existing}) existing GROUP BY ${key}
    ) counted USING (${key})
    WHERE ${kind}_occurrence > place + coalesce(records, 0)
  ) unnumbered ON unnumbered.number = r.number`;
}

/** SQL of the existing records that a new row without a number would be: its key alone says which of them. */
const equals = {
  program: naturalOfRefs('program_refs'),
  branch: `SELECT program_id, code AS branch_key, id, occurrence FROM (${codedBranches}) coded
    UNION ALL SELECT program_id, name || E'\\n', id, place FROM (${namedBranches}) named WHERE NOT has_code`,
} as const;

/** What says of references which records they number. */
const keys = { program: 'program_key', branch: 'program_id, branch_key' } as const;
const keysOfRef = { program: 'r.program_key', branch: 'r.program_id, r.branch_key' } as const;

/** Rows of new records with the number of a record that another row names by its id, as another: they would be created each time. */
function numberOfNamed(kind: KindWord): string {
  return `
  SELECT s.number, 'numberOfNamed', '${kind}', 0, s.${kind}_occurrence::text, NULL, NULL, NULL, NULL
  FROM ${rowsOf[kind]}
  WHERE r.id IS NULL AND (${keysOfRef[kind]}, r.${kind}_occurrence) IN (
    SELECT ${keys[kind]}, occurrence FROM (${equals[kind]}) equal)`;
}

/** SQL of the key by which rows without ids find a record with these values. */
const keyOf = {
  program: (code: string, name: string, duration: string) =>
    `coalesce(nullif(${code}, ''), ${name} || E'\\n' || ${duration})`,
  branch: (code: string, name: string) => `coalesce(nullif(${code}, ''), ${name} || E'\\n')`,
} as const;

/**
 * Rows that give an existing record another key, where rows without ids number the records that have it, or have had it, or
 * name another one: they would find others when the file is imported again. So does one of equal records that gets another
 * key, whose row then finds the next.
 */
export function changingKeys(kind: KindWord): string {
  const scope = kind === 'program' ? '' : 'program_number, ';
  const code = `CASE WHEN given ? 'code' THEN given ->> 'code' ELSE known.code END`;
  const named = (
    key: string,
  ) => `SELECT ${scope}${kind}_key AS ${key}, max(${kind}_occurrence) AS most, min(id) AS first_id, max(id) AS last_id,
      bool_or(id IS NULL) AS has_new
    FROM ${kind}_refs WHERE ${kind}_given_id = 0 GROUP BY ${scope}${kind}_key`;
  return `
  SELECT s.number, CASE WHEN r.given ->> 'code' <> '' THEN 'newCodeOfEqual' ELSE 'newNameOfEqual' END, '${kind}', 0,
    coalesce(nullif(r.given ->> 'code', ''), r.name), NULL, NULL, NULL, NULL
  FROM ${rowsOf[kind]} JOIN (
    SELECT number FROM (
      SELECT r.number, ${scope}r.id, ${keyOf[kind]('known.code', 'known.name', 'known.duration')} COLLATE "C" AS old_key,
        ${keyOf[kind](code, 'r.name', 'r.duration')} COLLATE "C" AS new_key, ${kind}_key AS key,
        ${kind}_given_id = 0 AND (${keysOfRef[kind]}) IN (
          SELECT ${keys[kind]} FROM (${equals[kind]}) equal WHERE occurrence > 1
        ) AS is_one_of_equals
      FROM ${kind}_refs r JOIN ${tableOf(kind)} known USING (id)
    ) existing
    LEFT JOIN (${named('old_key')}) before USING (${scope}old_key)
    LEFT JOIN (${named('new_key')}) after USING (${scope}new_key)
    WHERE old_key <> new_key
      AND (before.most > 1 OR after.most > 1 OR after.has_new OR id <> after.first_id OR id <> after.last_id
        OR is_one_of_equals AND existing.key = old_key)
  ) moved ON moved.number = r.number`;
}
