import type { Client } from '@urql/core';
import { type ChangeFragment, LastChangesDocument } from '../history/documents.generated.ts';
import { FirstEntryDocument } from './documents.generated.ts';

const fresh = { requestPolicy: 'network-only' } as const;

/**
 * Finds the change that a request has made, whose response was lost. `null` if it has made none, `undefined` if that cannot
 * be read.
 *
 * @param isLike Whether a change may be the one that is looked for.
 */
export async function changeMadeBy(
  client: Client,
  requestId: string,
  imports: boolean,
  isLike: (change: ChangeFragment) => boolean,
): Promise<string | null | undefined> {
  const { data } = await client.query(LastChangesDocument, { first: 50, imports }, fresh);
  if (data === undefined) return undefined;
  for (const { changeId } of data.lastChanges.filter(isLike)) {
    const first = await client.query(FirstEntryDocument, { changeId }, fresh);
    if (first.data === undefined) return undefined;
    if (first.data.changeEntries.nodes.some((entry) => entry.requestId === requestId)) return changeId;
  }
  return null;
}
