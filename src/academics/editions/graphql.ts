import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { byId, Node, readAsNodes } from '../../graphql/node.ts';
import { reads, writes } from '../../graphql/performing.ts';
import { defineRead } from '../../operations/operation.ts';
import { RecordChangeType } from '../graphql/record-change.ts';
import { listedBytesMax, recordChangeOf } from '../record-change.ts';
import type { ComparedRow, ComparisonCounts } from './comparison.ts';
import { compareCatalogs, createEdition, readEditions } from './operations.ts';
import { catalogPoint } from './points.ts';

readAsNodes('Edition', readEditions, async (ids, reading) =>
  byId(await reading.prisma((db) => db.edition.findMany({ where: { id: { in: ids.map(Number) } } }))),
);

builder.objectType('Edition', {
  description: 'The catalog as it was frozen under a name, with a checksum that proves its bytes. It never changes.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the edition.' }),
    name: t.exposeString('name', { description: 'Its name, such as `2026/27`; unique.' }),
    note: t.exposeString('note', { description: 'What it is for; may be empty.' }),
    at: t.expose('at', { type: 'DateTime', description: 'The instant whose catalog it is.' }),
    checksum: t.exposeString('checksum', {
      description: 'SHA-256, in hex, of the bytes of its file, `/export/editions/NAME.jsonl`.',
    }),
    programs: t.exposeInt('programs', { description: 'Number of programs.' }),
    branches: t.exposeInt('branches', { description: 'Number of branches.' }),
    createdBy: t.exposeString('createdBy', { description: 'Name that the user had who froze it.' }),
  }),
});

builder.queryField('editions', (t) =>
  t.field({
    type: ['Edition'],
    description: 'The editions of the catalog, newest first. Needs the permission `programs:read`.',
    ...reads(readEditions),
  }),
);

builder.mutationField('createEdition', (t) =>
  t.field({
    type: 'Edition',
    description:
      'Freezes the catalog as it is under a name; there are at most 100 editions, and in 24 hours 10 of a caller who is no administrator.',
    failsWith: ['CONFLICT', 'RATE_LIMITED'],
    args: {
      name: t.arg.string({ required: true, description: 'Its name: one line, 1 to 100 characters.' }),
      note: t.arg.string({ description: 'What it is for: at most 2,000 characters.' }),
    },
    ...writes(createEdition),
  }),
);

const CatalogPointInput = builder.inputType('CatalogPoint', {
  description: 'A state of the catalog.',
  isOneOf: true,
  fields: (t) => ({
    edition: t.string({ description: 'The edition of this name.' }),
    at: t.field({ type: 'DateTime', description: 'As it was at this instant.' }),
    now: t.boolean({ description: 'As it is: `true`.' }),
  }),
});

/** The number of records that a comparison lists. */
const recordsMax = 1_000;

interface CatalogComparison extends ComparisonCounts {
  readonly records: readonly ComparedRow[];
}

const ComparedRecord = builder.objectRef<ComparedRow>('ComparedRecord').implement({
  description: 'A record that differs between two states of the catalog, and its last change between them.',
  fields: (t) => ({
    change: t.field({ type: RecordChangeType, description: 'Its old and new values.', resolve: recordChangeOf }),
    lastActor: t.exposeString('lastActor', {
      nullable: true,
      description: 'Who changed it last between the two; `null` for callers who may not edit records.',
    }),
    lastAt: t.expose('lastAt', { type: 'DateTime', nullable: true, description: 'When.' }),
    lastChangeId: t.exposeID('lastChangeId', { nullable: true, description: 'The change.' }),
  }),
});

const CatalogComparison = builder.objectRef<CatalogComparison>('CatalogComparison').implement({
  description: 'What differs between two states of the catalog, in numbers of records and as old and new values.',
  fields: (t) => ({
    created: t.exposeInt('created', { description: 'Records that are in the second state alone.' }),
    deleted: t.exposeInt('deleted', { description: 'Records that are in the first state alone.' }),
    renamed: t.exposeInt('renamed', { description: 'Records with another name; one may be moved, too.' }),
    moved: t.exposeInt('moved', { description: 'Branches of another program; one may be renamed, too.' }),
    changed: t.exposeInt('changed', { description: 'Records of which only other fields differ.' }),
    records: t.expose('records', {
      type: [ComparedRecord],
      description: `The first ${recordsMax}, programs before their branches; \`/export/comparison.xlsx\` has all of them.`,
    }),
  }),
});

async function firstOf(batches: AsyncIterable<readonly ComparedRow[]>): Promise<ComparedRow[]> {
  const records: ComparedRow[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    for (const record of batch) {
      bytes += Buffer.byteLength(JSON.stringify(record));
      if (records.length === recordsMax || bytes > listedBytesMax) return records;
      records.push(record);
    }
  }
  return records;
}

const compareNow = defineRead({
  ...compareCatalogs,
  input: z.object({ from: catalogPoint, to: catalogPoint }),
  run: async (points, reading): Promise<CatalogComparison> => {
    const left = new AbortController();
    reading.request.onClosed(() => left.abort());
    const compare = await compareCatalogs.run(points, reading);
    return compare(left.signal, async (comparison) => {
      return { ...comparison.counts, records: await firstOf(comparison.batches()) };
    });
  },
});

const state = { type: CatalogPointInput, required: true } as const;

builder.queryField('compareCatalogs', (t) =>
  t.field({
    type: CatalogComparison,
    description:
      'Compares two states of the catalog: editions, instants, now. One at a time for a user. Needs the permission `programs:read`.',
    args: {
      from: t.arg({ ...state, description: 'The first state.' }),
      to: t.arg({ ...state, description: 'The second state.' }),
    },
    ...reads(compareNow),
  }),
);
