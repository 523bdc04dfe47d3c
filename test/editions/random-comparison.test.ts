import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { readComparison } from '../../src/academics/editions/comparison.ts';
import { type CatalogPoint, catalogPoint } from '../../src/academics/editions/points.ts';
import { useSharedServer } from '../support/server.ts';
import { change, instant, steps } from './random-changes.ts';

const server = useSharedServer();

type Row = Readonly<Record<string, unknown>>;
type Fields = ReadonlyMap<string, unknown>;

const fieldNames: Readonly<Record<string, string>> = {
  program_name: 'name',
  program_code: 'code',
  program_duration: 'duration',
  branch_name: 'name',
  branch_code: 'code',
  branch_description: 'description',
  branch_years: 'years',
  branch_code_prefix: 'codePrefix',
  branch_code_is_numeric: 'codeIsNumeric',
};

/** The values of a record in the row of an export, by the names of its fields; those that are empty are not there. */
function fieldsIn(row: Row, kind: 'program' | 'branch'): Fields {
  const named = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
    if (column === `${kind}_attributes`) {
      return Object.entries({ ...Object(value) }).map(([key, text]) => [`attributes.${key}`, text]);
    }
    const field = column.startsWith(kind) ? fieldNames[column] : undefined;
    return field === undefined ? [] : [[field, value]];
  });
  const own: [string, unknown][] = kind === 'branch' ? [...named, ['programId', row['program_id']]] : named;
  return new Map(own.filter(([, value]) => value !== null && value !== ''));
}

/** The records of an export as JSON. */
async function recordsNow(): Promise<ReadonlyMap<string, Fields>> {
  const response = await server.get('/export/catalog.json');
  const rows: Row[] = await response.json();
  return new Map(
    rows.flatMap((row): [string, Fields][] => [
      [`PROGRAM ${row['program_id']}`, fieldsIn(row, 'program')],
      ...(row['branch_id'] == null
        ? []
        : [[`BRANCH ${row['branch_id']}`, fieldsIn(row, 'branch')] as [string, Fields]]),
    ]),
  );
}

/** What differs between two exports: of each record its fields, old and new. */
function differenceOf(from: ReadonlyMap<string, Fields>, to: ReadonlyMap<string, Fields>) {
  const none: Fields = new Map();
  const records = [...new Set([...from.keys(), ...to.keys()])].flatMap((record) => {
    const [before, after] = [from.get(record), to.get(record)];
    const fields = [...new Set([...(before ?? none).keys(), ...(after ?? none).keys()])]
      .map((field) => ({ field, before: before?.get(field) ?? null, after: after?.get(field) ?? null }))
      .filter(({ before, after }) => before !== after)
      .sort((one, other) => (one.field < other.field ? -1 : 1));
    const action = before === undefined ? 'CREATE' : after === undefined ? 'DELETE' : 'UPDATE';
    return fields.length === 0 ? [] : [{ record, action, fields }];
  });
  const count = (is: (difference: (typeof records)[number]) => boolean): number => records.filter(is).length;
  const has = (name: string) => (one: (typeof records)[number]) =>
    one.action === 'UPDATE' && one.fields.some(({ field }) => field === name);
  return {
    created: count(({ action }) => action === 'CREATE'),
    deleted: count(({ action }) => action === 'DELETE'),
    renamed: count(has('name')),
    moved: count(has('programId')),
    changed: count((one) => one.action === 'UPDATE' && !has('name')(one) && !has('programId')(one)),
    records: records.sort((one, other) => (one.record < other.record ? -1 : 1)),
  };
}

interface Compared {
  readonly change: {
    readonly kind: string;
    readonly recordId: number;
    readonly action: string;
    readonly fields: { field: string; before: unknown; after: unknown }[];
  };
  readonly lastActor: string | null;
}

/** The rows of a workbook, which are counted before they are read. */
const countFields = (from: object, to: object): Promise<number> => {
  const connection = { url: server.database.url, signal: AbortSignal.timeout(60_000), showsActors: true };
  return readComparison(connection, { from: pointOf(from), to: pointOf(to) }, (comparison) => comparison.countFields());
};

const pointOf = (point: object): CatalogPoint =>
  catalogPoint.parse('at' in point ? { at: new Date(String(point.at)) } : point);

async function compare(from: object, to: object) {
  const { body } = await server.graphql(
    `query ($from: CatalogPoint!, $to: CatalogPoint!) { compareCatalogs(from: $from, to: $to) {
      created deleted renamed moved changed
      records { change { kind recordId action fields { field before after } } lastActor }
    } }`,
    { from, to },
  );
  expect(body.errors).toBeUndefined();
  const { records, ...counts } = body.data.compareCatalogs;
  const listed = records.reduce((sum: number, { change: { fields } }: Compared) => sum + fields.length, 0);
  expect(await countFields(from, to)).toBe(listed);
  expect(records.filter(({ lastActor }: Compared) => lastActor === null)).toEqual([]);
  const compared = records.map(({ change: { kind, recordId, action, fields } }: Compared) => ({
    record: `${kind} ${recordId}`,
    action,
    // An empty text is none, as in a file; a whole record has its default values, too.
    fields: fields
      .map(({ field, before, after }) => ({
        field,
        before: before === '' ? null : before,
        after: after === '' ? null : after,
      }))
      .filter(({ before, after }) => before !== after)
      .sort((one, other) => (one.field < other.field ? -1 : 1)),
  }));
  return {
    ...counts,
    records: compared.sort((one: { record: string }, other: { record: string }) =>
      one.record < other.record ? -1 : 1,
    ),
  };
}

it('a comparison of editions, instants and now is that of two exports that were kept', async () => {
  const kept: { readonly points: readonly object[]; readonly records: ReadonlyMap<string, Fields> }[] = [];
  await fc.assert(
    fc.asyncProperty(steps, async (round) => {
      await change(server, round);
      const edition = `round ${kept.length}`;
      const at = await instant(server);
      await server.graphql('mutation ($edition: String!) { createEdition(name: $edition) { id } }', { edition });
      kept.push({ points: [{ edition }, { at }], records: await recordsNow() });
    }),
    { numRuns: inject('thorough') ? 30 : 4, endOnFailure: true },
  );
  const last = kept.at(-1);
  if (last !== undefined) kept.push({ points: [{ now: true }], records: last.records });
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(), async (first, second, pick) => {
      const [from, to] = [kept[first % kept.length], kept[second % kept.length]];
      if (from === undefined || to === undefined) throw new Error('There is no such state.');
      const onePointOf = ({ points }: typeof from, at: number): object => points[at % points.length] ?? {};
      expect(await compare(onePointOf(from, pick), onePointOf(to, pick >> 1))).toEqual(
        differenceOf(from.records, to.records),
      );
    }),
    { numRuns: inject('thorough') ? 40 : 8 },
  );
});
