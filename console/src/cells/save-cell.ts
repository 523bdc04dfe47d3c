import type { Client } from '@urql/core';
import { codeOf, describeError, problemsOf } from '../api/errors.ts';
import { branchValues } from '../branch/branch-fields.tsx';
import { BranchDocument, UpdateBranchDocument } from '../branch/documents.generated.ts';
import { withAttributes } from '../fields/attributes.ts';
import type { FieldValues } from '../forms/drafts.ts';
import { ProgramDocument, UpdateProgramDocument } from '../program/documents.generated.ts';
import { programValues } from '../program/program-fields.tsx';
import type { RowKind } from '../table/row.tsx';

/** A value for one field of a record. */
export interface CellValue {
  readonly id: number;
  readonly field: string;
  readonly typed: string;
  /** The value that the user has seen, and the version that had it. */
  readonly seen: string;
  readonly version: number;
}

/** The version that was saved, or why nothing was: `theirs` if somebody else has changed the field meanwhile. */
export type SavedCell = { readonly version: number } | { readonly problem: string; readonly theirs?: string };

const fieldIn = (values: FieldValues, field: string): string => String(values[field] ?? '');

/** Saves the value of a field, on top of changes of other fields by other people. */
export async function saveCell(client: Client, kind: RowKind, cell: CellValue): Promise<SavedCell> {
  const { id, field, typed, seen, version: expectedVersion } = cell;
  if (field === 'years' && !/^\d{1,3}$/.test(typed)) return { problem: 'Years must be a number.' };
  const input = { ...withAttributes({ [field]: field === 'years' ? Number(typed) : typed }), expectedVersion };
  const { data, error } =
    kind === 'PROGRAM'
      ? await client.mutation(UpdateProgramDocument, { id, input })
      : await client.mutation(UpdateBranchDocument, { id, input });
  const saved = Object.values(data ?? {})[0];
  if (error === undefined && saved) return { version: saved.version };
  if (error === undefined) return { problem: 'It was not saved. Try again.' };
  if (codeOf(error) !== 'CONFLICT') return { problem: problemsOf(error)[field]?.join(' ') ?? describeError(error) };
  const now = await readCell(client, kind, id, field);
  if (now === undefined || now.version === expectedVersion) return { problem: describeError(error) };
  if (now.value === seen) return saveCell(client, kind, { ...cell, version: now.version });
  return { problem: `Somebody else has changed this to “${now.value}”.`, theirs: now.value };
}

async function readCell(client: Client, kind: RowKind, id: number, field: string) {
  const fresh = { requestPolicy: 'network-only' } as const;
  if (kind === 'PROGRAM') {
    const program = (await client.query(ProgramDocument, { id }, fresh)).data?.program;
    return program ? { version: program.version, value: fieldIn(programValues(program), field) } : undefined;
  }
  const branch = (await client.query(BranchDocument, { id, withProgram: false }, fresh)).data?.branch;
  return branch ? { version: branch.version, value: fieldIn(branchValues(branch), field) } : undefined;
}
