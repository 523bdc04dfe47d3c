import { z } from 'zod';
import { ownerOf } from '../../operations/caller.ts';
import { defineRead, defineWrite } from '../../operations/operation.ts';
import { orDefault } from '../../validation/optional.ts';
import { multiLine } from '../../validation/text.ts';
import type { ComparedPoints, Comparison } from './comparison.ts';
import { editionChunks, listEditions, readEdition } from './editions.ts';
import { freezeEdition } from './freeze.ts';
import { editionName } from './points.ts';

/** No cached response shows editions. */
const affects = () => ({ ids: [], kinds: [] });

export const createEdition = defineWrite({
  name: 'createEdition',
  access: 'programs:write',
  transaction: 'long',
  affects,
  input: z.object({ name: editionName, note: orDefault(multiLine('note', { max: 2_000 }), '') }),
  run: (edition, { tx, actor, request: { caller } }) => {
    const maker = { owner: ownerOf(caller), isAdministrator: caller.permissions.has('admin') };
    return freezeEdition(tx, actor, { ...edition, maker });
  },
});

export const readEditions = defineRead({
  name: 'editions',
  access: 'programs:read',
  scope: 'uncacheable',
  input: z.object({}),
  run: (_input, { db }) => listEditions(db),
});

/** The file of an edition. */
export const downloadEdition = defineRead({
  name: 'downloadEdition',
  access: 'programs:read',
  scope: 'uncacheable',
  input: z.object({ name: editionName }),
  run: async ({ name }, { db }) => {
    const edition = await readEdition(db, name);
    return { edition, chunks: () => editionChunks(db, edition) };
  },
});

/** Compares while the client waits, and reads the comparison. */
export type Compare = <Result>(
  signal: AbortSignal,
  read: (comparison: Comparison) => Promise<Result>,
) => Promise<Result>;

export const compareCatalogs = defineRead({
  name: 'compareCatalogs',
  access: 'programs:read',
  scope: 'uncacheable',
  input: z.custom<ComparedPoints>(),
  run:
    (points, { request }): Compare =>
    (signal, read) => {
      request.expectMinutes();
      const showsActors = request.caller.permissions.has('programs:write');
      return request.app.compareCatalogs(points, { caller: request.account, signal, showsActors }, read);
    },
});
