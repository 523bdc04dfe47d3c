/** Texts of a file are compared byte by byte, whatever the locale of the database. */
const text = 'text COLLATE "C"';
const texts = 'text[] COLLATE "C"';

/**
 * The temporary tables of an import, in the order in which it fills them; `program_…` and `branch_…` of a row together
 * name a record. All go with the transaction.
 */
export const importTables = `
  -- Valid rows (stage.ts), numbered, as JSON may have many on a line, with their cells, for those that are rejected later.
  CREATE TEMP TABLE staged_rows (
    number integer NOT NULL, line integer NOT NULL, texts json NOT NULL, is_exported boolean NOT NULL,
    program_given_id integer NOT NULL, program_code ${text},
    program_key ${text} NOT NULL, program_occurrence integer NOT NULL,
    program_doubt jsonb, program jsonb NOT NULL, program_refused jsonb,
    branch_given_id integer, branch_code ${text}, branch_key ${text}, branch_occurrence integer,
    branch_doubt jsonb, branch jsonb, branch_refused jsonb
  ) ON COMMIT DROP;

  -- What rows name by ids, with what they say of it, and rows in which the two contradict each other (matching/ids.ts).
  CREATE TEMP TABLE program_ids (
    id integer, program_key ${text}, program_occurrence integer,
    code ${text}, name ${text}, duration ${text}, found_id integer
  ) ON COMMIT DROP;
  CREATE TEMP TABLE branch_ids (
    id integer, branch_key ${text}, program_id integer, code ${text}, name ${text}, is_own boolean
  ) ON COMMIT DROP;
  CREATE TEMP TABLE contradictions (number integer, kind text, id integer, other_id integer, rule text) ON COMMIT DROP;

  -- Each program that rows name, as they name it: the \`id\` of an existing one, and \`wanted\`, the first row of the same
  -- program (matching/programs.ts); then each branch, likewise (matching/branches.ts).
  CREATE TEMP TABLE program_refs (
    number integer, line integer, program_given_id integer, program_key ${text}, program_occurrence integer,
    code ${text}, given jsonb, name ${text}, duration ${text}, id integer, wanted integer
  ) ON COMMIT DROP;
  CREATE TEMP TABLE branch_refs (
    number integer, line integer, program_number integer, program_id integer,
    branch_given_id integer, branch_key ${text}, branch_occurrence integer,
    code ${text}, given jsonb, name ${text}, years integer, id integer, wanted integer
  ) ON COMMIT DROP;

  -- Records of the file, and of the catalog, that the other lacks, and which of them are perhaps one (matching/renamed.ts).
  CREATE TEMP TABLE new_program_rows (
    number integer, program_given_id integer, program_key ${text}, program_occurrence integer,
    name ${text}, duration ${text}, names ${texts}, code ${text}, anchor integer, branches ${texts}
  ) ON COMMIT DROP;
  CREATE TEMP TABLE missing_program_rows (
    id integer, name ${text}, duration ${text}, names ${texts}, code ${text}, anchor integer, branches ${texts}
  ) ON COMMIT DROP;
  CREATE TEMP TABLE renamed_programs (number integer, id integer) ON COMMIT DROP;
  CREATE TEMP TABLE new_branch_rows (
    number integer, program_id integer, names ${texts}, code ${text}, anchor integer, others ${text}
  ) ON COMMIT DROP;
  CREATE TEMP TABLE missing_branch_rows (
    id integer, program_id integer, names ${texts}, code ${text}, anchor integer, others ${text}
  ) ON COMMIT DROP;
  CREATE TEMP TABLE renamed_branches (number integer, id integer) ON COMMIT DROP;

  -- The references that are \`wanted\`: one for each record, with the values of its first row.
  CREATE TEMP TABLE wanted_programs (LIKE program_refs) ON COMMIT DROP;
  CREATE TEMP TABLE wanted_branches (LIKE branch_refs) ON COMMIT DROP;

  -- Rows that cannot be imported with the others, and why (rejections.ts).
  CREATE TEMP TABLE rejected (
    number integer, rule text, kind text, given_id integer, code ${text},
    other_line integer, other_id integer, other_name ${text}, doubt jsonb
  ) ON COMMIT DROP;

  -- Existing records that an update changes, as snapshots (collect-changes.ts): with the new ones the plan (merge.ts).
  CREATE TEMP TABLE changed (kind text, id integer, version integer, before jsonb, after jsonb) ON COMMIT DROP`;

/** Empties what matching fills, before the other rows are matched again. */
export const forgetMatches = `TRUNCATE program_refs, branch_refs, wanted_programs, wanted_branches,
  new_program_rows, missing_program_rows, renamed_programs, new_branch_rows, missing_branch_rows, renamed_branches`;

/** Each row with the record that is wanted and the one that exists. */
export const rowsOf = {
  program: `staged_rows s JOIN program_refs r USING (program_given_id, program_key, program_occurrence)
    JOIN wanted_programs w ON w.number = r.wanted LEFT JOIN programs existing ON existing.id = w.id`,
  branch: `staged_rows s JOIN program_refs p USING (program_given_id, program_key, program_occurrence)
    JOIN branch_refs r ON r.program_number = p.wanted AND r.branch_given_id = s.branch_given_id
      AND r.branch_key = s.branch_key AND r.branch_occurrence = s.branch_occurrence
    JOIN wanted_branches w ON w.number = r.wanted LEFT JOIN branches existing ON existing.id = w.id`,
} as const;
