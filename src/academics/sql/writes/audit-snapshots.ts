import type { z } from 'zod';
import { branchFields, columnOf, programFields } from '../columns.ts';

/** A program as the audit log shows it. */
export const auditSnapshotOfProgram = (program: z.input<typeof programFields>) => programFields.parse(program);

/** A branch as the audit log shows it, without its years. */
export const auditSnapshotOfBranch = (branch: z.input<typeof branchFields>) => branchFields.parse(branch);

/** The columns of a record as JSON, in SQL. */
const columnsIn = (record: string, { shape }: z.ZodObject): string =>
  `jsonb_build_object(${Object.keys(shape).map((field) => `'${field}', ${record}.${columnOf(field)}`)})`;

/** The same in SQL, of a table or row with the columns of a program. */
export const programSnapshot = (record: string): string => columnsIn(record, programFields);

/** A branch with the number of its years, which is SQL too. */
export const branchSnapshot = (record: string, years: string): string =>
  `${columnsIn(record, branchFields)} || jsonb_build_object('years', ${years})`;

/** Snapshots of stored records, of a table with this name; null for a row that a join has not found. */
export const snapshotOf = {
  Program: (table: string): string => `CASE WHEN ${table}.id IS NOT NULL THEN ${programSnapshot(table)} END`,
  Branch: (table: string): string => `CASE WHEN ${table}.id IS NOT NULL
    THEN ${branchSnapshot(table, `(SELECT count(*) FROM branch_years WHERE branch_id = ${table}.id)`)} END`,
} as const;
