import type { EarlyRead } from './api/early-reads.ts';
import programs from './programs/programs.graphql?raw';
import { pathOf } from './screen-files.ts';
import viewer from './session/viewer.graphql?raw';

/** Who the caller is. */
export const viewerRead: EarlyRead = { operationName: 'Viewer', query: viewer, variables: {} };

const filter = {};

/**
 * What these screens read first, by the path of their route, when their address filters nothing. Reads that are little
 * work for the service: on one machine with the browser, those of the overview would take the processor from its scripts.
 */
const readsAt: Readonly<Record<string, readonly EarlyRead[]>> = {
  '/programs': [
    {
      operationName: 'Programs',
      query: programs,
      variables: { filter, orderBy: 'NAME_ASC', first: 100, after: null },
    },
    { operationName: 'ProgramCount', query: programs, variables: { filter } },
  ],
};

/** What the screen of an address reads first, as far as that is known before its scripts. */
export function firstReads({ pathname, search }: Location): readonly EarlyRead[] {
  return search === '' ? (readsAt[pathOf(pathname)] ?? []) : [];
}
