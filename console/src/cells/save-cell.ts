import type { Client } from '@urql/core';
import { codeOf, describeError, endsSession, isTemporary, problemsOf } from '../api/errors.ts';
import { UpdateBranchDocument } from '../branch/documents.generated.ts';
import { readRecords } from '../bulk/read-records.ts';
import { shortened } from '../format/text.ts';
import { withAttributes } from '../forms/attributes.ts';
import { isStoredAs } from '../forms/field-news.ts';
import { readSaver } from '../forms/savers.ts';
import { keyed } from '../forms/use-draft.ts';
import { t } from '../language/language.ts';
import { UpdateProgramDocument } from '../program/documents.generated.ts';
import type { SavedCell, TriedCell } from './unsaved.ts';

type Saved = Record<string, { readonly version: number } | null>;

/** How long the service keeps the answer to a save, and an hour less. */
const answerMs = 23 * 3_600_000;

/** Whether somebody else has decided on a value: the user has neither seen nor entered it, or it may replace their own. */
export function isTheirs({ tried, known }: Pick<TriedCell, 'tried' | 'known'>, stored: string, now: number): boolean {
  const own = now - tried.at < answerMs ? [tried.typed, ...known] : [tried.typed];
  return !own.some((value) => isStoredAs(value, stored));
}

/**
 * Saves the value of a field as it was tried first, or says on which version it can be saved.
 *
 * @param textOf A value as people read it.
 */
export async function saveCell(client: Client, cell: TriedCell, textOf: (value: string) => string): Promise<SavedCell> {
  const { kind, id, field, tried } = cell;
  const { typed, version: expectedVersion } = tried;
  if (field === 'years' && !/^\d{1,3}$/.test(typed)) return { problem: t('cells.yearsNumber') };
  const input = { ...withAttributes({ [field]: typed }), expectedVersion };
  const document = kind === 'PROGRAM' ? UpdateProgramDocument : UpdateBranchDocument;
  const { data, error } = await client.mutation<Saved>(document, { id, input }, keyed(tried.key));
  const saved = Object.values(data ?? {})[0];
  if (saved) return { version: saved.version };
  if (error === undefined || isTemporary(error) || endsSession(error)) return { waits: true };
  // Somebody may restore it.
  if (codeOf(error) === 'NOT_FOUND')
    return { problem: t('cells.missing', { name: shortened(cell.name) }), waits: true };
  if (codeOf(error) !== 'CONFLICT') return { problem: problemsOf(error)[field]?.join(' ') ?? describeError(error) };
  const now = (await readRecords(client, kind, [id]))?.[0];
  // The first try may be running still.
  if (now === undefined || now.version === expectedVersion) return { waits: true };
  const theirs = String(now.values[field] ?? '');
  if (!isTheirs(cell, theirs, Date.now())) return { again: now.version };
  const by = await readSaver(client, cell, cell.by, field, theirs);
  return { problem: t('cells.theirs', { by, value: shortened(textOf(theirs)) }), theirs };
}
