import type { Client } from '@urql/core';
import { LastChangesDocument } from '../history/documents.generated.ts';
import { FirstEntryDocument } from './documents.generated.ts';

const fresh = { requestPolicy: 'network-only' } as const;

/**
 * Finds the change that a request has made, whose response was lost: the import of a file, else one of cells. `null` if it
 * has made none, `undefined` if that cannot be read.
 */
export async function changeMadeBy(client: Client, requestId: string, file: string | null = null) {
  const { data } = await client.query(LastChangesDocument, { first: 50, imports: file !== null }, fresh);
  if (data === undefined) return undefined;
  for (const change of data.lastChanges) {
    if (file === null ? change.origin === null : change.file !== file) continue;
    const first = await client.query(FirstEntryDocument, { changeId: change.changeId }, fresh);
    if (first.data === undefined) return undefined;
    if (first.data.changeEntries.nodes.some((entry) => entry.requestId === requestId)) return change.changeId;
  }
  return null;
}
