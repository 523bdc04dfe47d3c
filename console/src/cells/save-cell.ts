import type { Client } from '@urql/core';
import { codeOf, describeError, problemsOf } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { UpdateBranchDocument } from '../branch/documents.generated.ts';
import { readRecords } from '../bulk/read-records.ts';
import { withAttributes } from '../fields/attributes.ts';
import { t } from '../language/language.ts';
import { UpdateProgramDocument } from '../program/documents.generated.ts';

/** A value for one field of a record. */
export interface CellValue {
  readonly id: number;
  readonly field: string;
  readonly typed: string;
  /** The value that the user has seen, and the version that had it. */
  readonly seen: string;
  readonly version: number;
}

/** The version that was saved, or why nothing was, or perhaps: `theirs` if somebody else has changed the field meanwhile. */
export type SavedCell =
  | { readonly version: number }
  | { readonly problem: string; readonly theirs?: string; readonly isUncertain?: true };

/** Saves the value of a field, on top of changes of other fields by other people. */
export async function saveCell(client: Client, kind: RecordKind, cell: CellValue): Promise<SavedCell> {
  const { id, field, typed, seen, version: expectedVersion } = cell;
  if (field === 'years' && !/^\d{1,3}$/.test(typed)) return { problem: t('cells.yearsNumber') };
  const input = { ...withAttributes({ [field]: field === 'years' ? Number(typed) : typed }), expectedVersion };
  const { data, error } =
    kind === 'PROGRAM'
      ? await client.mutation(UpdateProgramDocument, { id, input })
      : await client.mutation(UpdateBranchDocument, { id, input });
  const saved = Object.values(data ?? {})[0];
  if (error === undefined && saved) return { version: saved.version };
  if (error === undefined) return { problem: t('cells.notSaved') };
  if (codeOf(error) === 'NETWORK') return { problem: describeError(error), isUncertain: true };
  if (codeOf(error) !== 'CONFLICT') return { problem: problemsOf(error)[field]?.join(' ') ?? describeError(error) };
  const [now] = (await readRecords(client, kind, [id])) ?? [];
  if (now === undefined || now.version === expectedVersion) return { problem: describeError(error) };
  const theirs = String(now.values[field] ?? '');
  // An earlier save whose response was lost, or the same by somebody else.
  if (theirs === typed) return { version: now.version };
  if (theirs === seen) return saveCell(client, kind, { ...cell, version: now.version });
  return { problem: t('cells.theirs', { value: theirs }), theirs };
}
