import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workbookOf } from '@service/tabular/testing/workbook';
import { getIntrospectionQuery } from 'graphql';
import { expect } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { adminKey, type TestServer } from '../support/server.ts';

const fileBytes = 2_000_000;
export const settings = { IMPORT_MAX_BYTES: String(fileBytes) };

/** Ids of programs whose branches are more than a response may have, and a quarter of it. */
interface Programs {
  readonly large: number;
  readonly followed: number;
}

/** Fills a catalog with more than a response may have: in one list, in a page, and in the history of records. */
export async function fillForDoors({ database, make }: Pick<TestServer, 'database' | 'make'>): Promise<Programs> {
  const { id: large } = await make.program({ name: 'Large' });
  const { id: followed } = await make.program({ name: 'Followed' });
  const branches = `INSERT INTO branches (program_id, name, description)`;
  const described = `${branches} SELECT $1, 'B', repeat('😀', 1000) FROM generate_series(1, $2::int)`;
  await database.query(described, [large, 3_000]);
  await database.query(described, [followed, 500]);
  await database.query(
    `INSERT INTO programs (name, duration, attributes)
     SELECT 'P' || p, '1', (SELECT jsonb_object_agg('k' || k, repeat('v', 500)) FROM generate_series(1, 50) AS k) FROM generate_series(1, 40) AS p`,
  );
  const others = 'FROM programs, generate_series(1, 10) WHERE programs.id <> $1';
  await database.query(`${branches} SELECT id, 'B', repeat('😀', 1000) ${others}`, [large]);
  await database.query(
    `INSERT INTO audit_entries (actor, action, subject, subject_id, before, after)
     SELECT 'x', 'update', 'Program', id, to_jsonb(programs), to_jsonb(programs) ${others}`,
    [large],
  );
  await database.query('ANALYZE');
  return { large, followed };
}

type Target = Programs & Pick<TestServer, 'url'>;
type Body = string | Uint8Array<ArrayBuffer>;

/** Sends a request, reads its response and keeps none of it. @returns its bytes. */
export async function send({ url }: Pick<TestServer, 'url'>, address: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url + address, { ...init, headers: { 'x-api-key': adminKey, ...init.headers } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}

const post = (target: Target, address: string, type: string, body: Body): Promise<number> =>
  send(target, address, { method: 'POST', headers: { 'content-type': type }, body });

/** Each has another spelling, so that nothing is cached. */
let spellings = 0;
function query(target: Target, text: string, variables = {}): Promise<number> {
  spellings += 1;
  return post(target, '/graphql', 'application/json', JSON.stringify({ query: `${text} #${spellings}`, variables }));
}

/** Sends several requests at a time. @returns the bytes of the longest response. */
const longest = async (...requests: readonly Promise<number>[]): Promise<number> =>
  Math.max(...(await Promise.all(requests)));

const upload = (target: Target, type: string, body: Body): Promise<number> =>
  post(target, '/import/catalog?dryRun=true&skipInvalid=true', type, body);
const filled = (row: string): string => row.repeat(Math.floor(fileBytes / row.length) - 1);
const times = (count: number, each: (place: number) => string): string =>
  Array.from({ length: count }, (_, place) => each(place)).join(' ');

const aliases = times(49, (place) => `a${place}: description`);
const ids = times(49, (place) => `a${place}: id`);
const windows = times(45, (place) => `a${place}: branchesConnection(first: ${55 + place}) { nodes { id } }`);
const byAttribute =
  'query ($value: String!) { branchesConnection(filter: { attributes: [{ key: "a", value: $value }] }) { totalCount } }';
const byResolvers = 'catalogStats { programs }';

const errorCell = `<c t="e"><v>${'N'.repeat(2_000)}</v></c>`;
const workbook = new Uint8Array(
  await workbookOf({
    rows: `<row>${errorCell.repeat(4)}</row>`.repeat(1_000),
    merges: `<mergeCells>${'<mergeCell ref="A1:B9"/>'.repeat(9_000)}</mergeCells>`,
  }),
);

/** The worst that each door of the table lets in. */
export const doors: Readonly<Record<string, (target: Target) => Promise<number>>> = {
  REST: (target) =>
    longest(
      post(target, '/v1/api/academics/programs', 'application/json', `{"name":"${'n'.repeat(102_000)}"}`),
      send(target, `/v1/api/academics/programs/${target.large}`),
      send(target, '/v1/api/academics/programs?size=100'),
    ),
  'GraphQL, by PostgreSQL': (target) =>
    longest(
      query(target, `{ programs(size: 100) { items { branches { ${aliases} } } } }`),
      query(target, `{ program(id: ${target.large}) { branches { ${aliases} } } }`),
      query(
        target,
        `{ program(id: ${target.followed}) { branches { ${times(4, (place) => `a${place}: description`)} } } }`,
      ),
      query(target, byAttribute, { value: '\u{e0061}'.repeat(12_000) }),
    ),
  'GraphQL, by resolvers': (target) =>
    longest(
      query(target, `{ programs(size: 100) { items { branches { ${aliases} } } } ${byResolvers} }`),
      query(target, `{ program(id: ${target.large}) { branches { id } } ${byResolvers} }`),
      query(target, `{ program(id: ${target.large}) { branches { ${ids} } } ${byResolvers} }`),
      query(target, getIntrospectionQuery()),
      query(target, `{ program(id: ${target.large}) { ${windows} } }`),
      query(target, `{ programs(size: 100) { items { id attributes { key } } } ${byResolvers} }`),
      query(target, '{ programs(size: 100) { items { history(first: 10) { nodes { id } } } } }'),
    ),
  subscriptions: async (target) => {
    const streams = await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        subscribe(target, `subscription { catalogChanged { program { k${place}: name branches { description } } } }`),
      ),
    );
    spellings += 1;
    await query(target, `mutation { updateProgram(id: ${target.followed}, input: { name: "F${spellings}" }) { id } }`);
    const events = await Promise.all(streams.map((stream) => stream.next()));
    for (const stream of streams) stream.close();
    return events.reduce((bytes, event) => bytes + (event?.data.length ?? 0), 0);
  },
  'imports: CSV': (target) =>
    upload(target, 'text/csv', `program_name,program_duration\n${filled(`${'n'.repeat(300)},\n`)}`),
  'imports: JSON': (target) => upload(target, 'application/json', `[${filled('{"program_name":1,"x":2},')}{}]`),
  'imports: Excel': (target) =>
    upload(target, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', workbook),
  'exports: CSV': (target) => send(target, '/export/catalog.csv'),
  'exports: JSON': (target) => send(target, '/export/catalog.json'),
  'exports: Excel': (target) => send(target, '/export/catalog.xlsx'),
  session: (target) =>
    longest(
      ...['k'.repeat(102_000), ...Array.from({ length: 50 }, (_, place) => `unknown-${place}`)].map((key) =>
        post(target, '/session', 'application/json', JSON.stringify({ key })),
      ),
    ),
};

const table = readFileSync(path.join(import.meta.dirname, '../../SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));
const header = table.findIndex(([first]) => first === 'door');

/** The doors of a row: `imports: CSV, JSON` is two. */
function doorsOf(row: string): string[] {
  const [name = '', formats] = row.split(': ');
  return formats === undefined ? [name] : formats.split(', ').map((format) => `${name}: ${format}`);
}

/** The table of SECURITY.md: its columns, and its rows by door. */
export const resources = table[header]?.slice(1) ?? [];
export const bounds: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .slice(
      header + 2,
      table.findIndex(([first], at) => at > header && first === 'limit'),
    )
    .flatMap(([row = '', ...cells]) => doorsOf(row).map((door): [string, string[]] => [door, cells])),
);

const units: Readonly<Record<string, number>> = { ms: 1, kB: 1e3, MB: 1e6 };

/** The number that a cell begins with, in ms or bytes; what bounds it follows. */
export function boundOf(door: string, resource: string): number {
  const cell = bounds.get(door)?.[resources.indexOf(resource)] ?? '';
  const [, number, unit = ''] = /^([\d,]+) (ms|kB|MB): ./.exec(cell) ?? [];
  if (number !== undefined) return Number(number.replaceAll(',', '')) * (units[unit] ?? Number.NaN);
  expect(cell, `${resource} at the door ${door}`).toMatch(/^none: ./);
  return Number.POSITIVE_INFINITY;
}
