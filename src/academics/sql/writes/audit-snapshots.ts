import type { z } from 'zod';
import { branchFields, columnOf, programFields } from '../columns.ts';

/** A program as the audit log shows it. */
export const auditSnapshotOfProgram = (program: z.input<typeof programFields>) => programFields.parse(program);

/** A branch as the audit log shows it, without its years. */
export const auditSnapshotOfBranch = (branch: z.input<typeof branchFields>) => branchFields.parse(branch);

/** The same in SQL, of columns with a prefix. */
const snapshotOf =
  ({ shape }: z.ZodObject) =>
  (prefix = ''): string => {
    const fields = Object.keys(shape).map((field) => `'${field}', ${prefix}${columnOf(field)}`);
    return `jsonb_build_object(${fields.join(', ')})`;
  };

export const programSnapshot = snapshotOf(programFields);

export const branchSnapshot = snapshotOf(branchFields);
