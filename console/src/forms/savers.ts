import type { Client } from '@urql/core';
import { useQuery } from 'urql';
import type { RecordReference } from '../links/record-link.tsx';
import { useRights } from '../session/viewer.tsx';
import { valueIn } from './attributes.ts';
import { SaversDocument, type SaversQuery } from './documents.generated.ts';
import type { FieldValue } from './drafts.ts';
import { isStoredAs } from './field-news.ts';

/** Who has saved a value: the user, such as in another window, or somebody else; `unknown` while the history lacks it. */
export type Saver = 'self' | 'other' | 'unknown';

type Entries = NonNullable<SaversQuery['program']>['history']['nodes'];

/** Who has given a field its value, by the history of its record, newest first. */
export function saverIn(entries: Entries, user: string | null, field: string, value: FieldValue | undefined): Saver {
  const has = (state: unknown): boolean => isStoredAs(String(valueIn(state, field) ?? ''), value);
  const entry = entries.find(({ before, after }) => has(after) && !has(before));
  if (entry === undefined) return 'unknown';
  return entry.actor === user ? 'self' : 'other';
}

const variablesOf = ({ kind, id }: RecordReference) => ({ id, isProgram: kind === 'PROGRAM' });
const entriesIn = (data: SaversQuery | undefined): Entries => (data?.program ?? data?.branch)?.history.nodes ?? [];

/** Returns who has given a field of a record a value. Reads the history of the record once there is something to say. */
export function useSavers(record: RecordReference, hasNews: boolean) {
  const { viewer } = useRights();
  const [{ data }] = useQuery({ query: SaversDocument, variables: variablesOf(record), pause: !hasNews });
  return (field: string, value: FieldValue | undefined): Saver => saverIn(entriesIn(data), viewer.name, field, value);
}

export async function readSaver(
  client: Client,
  record: RecordReference,
  user: string | null,
  field: string,
  value: FieldValue,
): Promise<Saver> {
  const { data } = await client.query(SaversDocument, variablesOf(record), { requestPolicy: 'network-only' });
  return saverIn(entriesIn(data), user, field, value);
}
