import type { Client } from '@urql/core';
import { codeOf, describeError, endsSession, isTemporary, problemsOf } from '../api/errors.ts';
import { UpdateBranchDocument } from '../branch/documents.generated.ts';
import { readRecords } from '../bulk/read-records.ts';
import { shortened } from '../format/text.ts';
import { withAttributes } from '../forms/attributes.ts';
import { isStoredAs } from '../forms/field-news.ts';
import { t } from '../language/language.ts';
import { UpdateProgramDocument } from '../program/documents.generated.ts';
import type { SavedCell, UnsavedCell } from './unsaved.ts';

/** Whether a stored value is the `same` as the typed one, is `known` to the user, or is that of somebody else. */
export function ownerOf({ typed, known }: Pick<UnsavedCell, 'typed' | 'known'>, stored: string) {
  if (isStoredAs(typed, stored)) return 'same';
  return known.some((value) => isStoredAs(value, stored)) ? 'known' : 'theirs';
}

/**
 * Saves the value of a field, on top of changes of other fields by other people.
 *
 * @param textOf A value as people read it.
 */
export async function saveCell(
  client: Client,
  cell: UnsavedCell,
  textOf: (value: string) => string,
): Promise<SavedCell> {
  const { kind, id, field, typed, version: expectedVersion } = cell;
  if (field === 'years' && !/^\d{1,3}$/.test(typed)) return { problem: t('cells.yearsNumber') };
  const input = { ...withAttributes({ [field]: field === 'years' ? Number(typed) : typed }), expectedVersion };
  const { data, error } =
    kind === 'PROGRAM'
      ? await client.mutation(UpdateProgramDocument, { id, input })
      : await client.mutation(UpdateBranchDocument, { id, input });
  const saved = Object.values(data ?? {})[0];
  if (saved) return { version: saved.version };
  if (error === undefined || isTemporary(error) || endsSession(error)) return { waits: true };
  if (codeOf(error) !== 'CONFLICT') return { problem: problemsOf(error)[field]?.join(' ') ?? describeError(error) };
  const records = await readRecords(client, kind, [id]);
  if (records === null) return { waits: true };
  const [now] = records;
  if (now === undefined || now.version === expectedVersion) return { problem: describeError(error) };
  const theirs = String(now.values[field] ?? '');
  const owner = ownerOf(cell, theirs);
  if (owner === 'same') return { version: now.version };
  if (owner === 'known') return saveCell(client, { ...cell, version: now.version }, textOf);
  return { problem: t('cells.theirs', { value: shortened(textOf(theirs)) }), theirs };
}
