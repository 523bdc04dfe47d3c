import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockTable, waitingForLocks } from '@service/postgres/testing/table-lock';
import { xlsxType } from '@service/tabular/xlsx';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { emptyCatalog } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { within } from '../support/running-time.ts';
import { adminKey, useSharedServer } from '../support/server.ts';
import { csv, exportHeader, header, importFile, withoutIds } from './import/import-file.ts';

const server = useSharedServer();
beforeAll(async () => {
  await importFile(
    server,
    csv(
      'BSC,Science,3 years,Optics,"Light, ""and"" more\n=1",3,O,true',
      'BSC,Science,3 years,Wärme,,2,W,false',
      ',Arts,1,,,,,',
      '=X,=Arts,2,Music,,1,,',
    ),
  );
});

const download = (address: string, options: RequestInit & { key?: string | null } = {}): Promise<Response> => {
  const { key = adminKey, ...request } = options;
  return fetch(server.url + address, { ...request, headers: key === null ? {} : { 'x-api-key': key } });
};
const exported = async (address: string): Promise<string> => {
  const response = await download(address);
  const content = await response.text();
  expect(response.status, content).toBe(200);
  return content;
};
const namesIn = async (query: string): Promise<string[]> => [
  ...new Set<string>(
    JSON.parse(await exported(`/export/catalog.json?${query}`)).map(
      (row: { program_name: string }) => row.program_name,
    ),
  ),
];

describe('an export', () => {
  it.each(['csv', 'json'])('is a %s file with the content of the command line', async (format) => {
    const response = await download(`/export/catalog.${format}`);

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="catalog.${format}"`,
      'cache-control': 'private, no-cache',
      'x-request-id': expect.any(String),
    });
    const { out } = await runCommand(server.database.url, ['export', '--format', format]);
    expect(await response.text()).toBe(out);
    expect(out).toContain('Wärme');
  });

  it('has the programs of a filter with all their branches', async () => {
    expect(await namesIn('')).toEqual(['Science', 'Arts', '=Arts']);
    expect(await namesIn('search=ARTS')).toEqual(['Arts', '=Arts']);
    expect(await namesIn('search=warme')).toEqual([]);
    expect(await namesIn('search=scienze')).toEqual(await namesIn('search=science'));
    expect(await namesIn('search=warme&searchBranches=true')).toEqual(['Science']);
    expect(await namesIn('duration=1')).toEqual(['Arts']);
    expect(await namesIn('hasBranches=false')).toEqual(['Arts']);
    expect(await namesIn('codes=none,%3DX')).toEqual(['=Arts']);
    expect(await namesIn('hasCode=true')).toEqual(['Science', '=Arts']);
    expect(await namesIn('hasCode=false')).toEqual(['Arts']);
    expect(await namesIn('minBranches=1&maxBranches=1')).toEqual(['=Arts']);
    expect(await namesIn('createdSince=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await namesIn('updatedSince=2020-01-01T00:00:00%2B02:00')).toEqual(['Science', 'Arts', '=Arts']);
    expect(await namesIn('durations=1,2')).toEqual(['Arts', '=Arts']);
    expect(await namesIn('createdBefore=2020-01-01T00:00:00Z')).toEqual([]);
    const conditions = [{ codes: ['none'] }, { not: { hasBranches: true }, updatedSince: '2020-01-01T00:00:00Z' }];
    expect(await namesIn(`or=${encodeURIComponent(JSON.stringify(conditions))}`)).toEqual(['Arts']);
    const ids = (await server.graphql('{ programs { items { id } } }')).body.data.programs.items;
    expect(await namesIn(`ids=${ids[0].id},${ids[2].id}`)).toEqual(['Science', '=Arts']);
    expect(await exported('/export/catalog.csv?search=none')).toBe(`${exportHeader}\n`);
    expect((await exported('/export/catalog.csv?search=science')).split('\n').length).toBe(5);
  });

  it('has programs in the order of a list', async () => {
    expect(await namesIn('orderBy=NAME_DESC')).toEqual(['Science', 'Arts', '=Arts']);
    expect(await namesIn('orderBy=BRANCHES_ASC')).toEqual(['Arts', '=Arts', 'Science']);
    expect(await namesIn('orderBy=ATTRIBUTE_ASC&orderAttribute=level')).toEqual(['Science', 'Arts', '=Arts']);
    const { status, ...response } = await download('/export/catalog.csv?orderBy=ATTRIBUTE_ASC');
    expect({ status, response }).toMatchObject({ status: 400 });
  });

  it('has some branches with their programs', async () => {
    const { data } = (
      await server.graphql('{ branchesConnection(orderBy: ID_ASC) { nodes { id name program { name } } } }')
    ).body;
    const [first, last] = [data.branchesConnection.nodes[0], data.branchesConnection.nodes.at(-1)];
    const content = await exported(`/export/catalog.json?branchIds=${first.id},${last.id}`);
    expect(JSON.parse(content).map((row: Record<string, string>) => [row['program_name'], row['branch_name']])).toEqual(
      [
        [first.program.name, first.name],
        [last.program.name, last.name],
      ],
    );
    expect(await namesIn(`branchIds=${last.id}&search=nothing`)).toEqual([]);
    const tooMany = await download(`/export/catalog.json?branchIds=${Array(1_001).fill(1)}`);
    expect(await tooMany.json()).toMatchObject({ errors: { branchIds: ['branchIds must be at most 1000.'] } });
  });

  it('has nothing of an id that no record can have, however large', async () => {
    for (const id of ['2147483647', '2147483648', '9'.repeat(30)]) {
      expect(await exported(`/export/catalog.csv?ids=${id}`)).toBe(`${exportHeader}\n`);
      expect(await exported(`/export/catalog.csv?branchIds=0,${id}`)).toBe(`${exportHeader}\n`);
      const within = [
        `and=[{"ids":[${id}]}]`,
        `or=[{"not":{"or":[{"ids":[0,${id}]},{}]}}]`,
        `not={"not":{"ids":[${id}]}}`,
      ];
      for (const condition of within)
        expect(await exported(`/export/catalog.csv?${condition}`)).toBe(`${exportHeader}\n`);
      expect(await namesIn(`not={"ids":[${id}]}`)).toEqual(['Science', 'Arts', '=Arts']);
    }
  });

  it('rejects invalid and unknown parameters, all at once', async () => {
    const response = await download(
      '/export/catalog.csv?serach=x&deleted=true&or=x&not={"duratoin":1}&orderBy=NAME&ids=1,a&hasBranches=yes&minBranches=-1&createdSince=now&duration=1&duration=2&search=%00',
    );
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: {
        message: 'The request has invalid input.',
        errors: {
          or: ['or must be JSON, once.'],
          not: ['Unrecognized key: "duratoin"'],
          orderBy: [expect.stringMatching(/^orderBy must be one of ID_ASC, .*NAME_ASC/)],
          serach: ['There is no such parameter.'],
          deleted: ['There is no such parameter.'],
          ids: ['ids must be whole numbers with commas between them, once.'],
          hasBranches: ['hasBranches must be true or false, once.'],
          minBranches: ['minBranches must be a whole number, once.'],
          createdSince: ['createdSince must be an RFC 3339 date and time, such as 2026-11-21T09:30:00Z, once.'],
          duration: ['duration must be text, once.'],
          search: ['search must not contain the NUL character.'],
        },
      },
    });
    expect((await download('/export/catalog.json?escapeFormulas=true')).status).toBe(400);
  });

  it('names the first twenty of many unknown parameters', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
    const response = await download(`/export/catalog.csv?hasBranches=yes&${names.join('&')}`);
    const { errors } = await response.json();
    expect(Object.keys(errors).toSorted()).toEqual(['hasBranches', ...names.slice(0, 20)].toSorted());
    expect(errors.p18).toEqual(['There is no such parameter.']);
    expect(errors.p19).toEqual(['There is no such parameter, nor are there 1980 others that are given.']);
  });

  it('needs a credential with the permission to read programs, which may be read-only', async () => {
    const [guest, reader] = [
      await server.makeKey({ role: 'guest' }),
      await server.makeKey({ role: 'viewer', readOnly: true }),
    ];
    const statusWith = async (key: string | null) => (await download('/export/catalog.csv', { key })).status;

    expect([await statusWith(null), await statusWith(guest), await statusWith(reader)]).toEqual([401, 403, 200]);
  });

  it('responds to HEAD without a body, to other methods with 405 and to other addresses with 404', async () => {
    const head = await download('/export/catalog.csv', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '',
    ]);
    const post = await download('/export/catalog.csv', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect([
      (await download('/export/catalog.xml')).status,
      (await download('/export/none', { key: null })).status,
    ]).toEqual([404, 401]);
  });

  it('escapes formulas on request, in a file that spreadsheets take for UTF-8', async () => {
    const content = Buffer.from(
      await (await download('/export/catalog.csv?escapeFormulas=true&duration=2')).arrayBuffer(),
    );
    expect(withoutIds(content.toString().slice(1))).toBe(`${withoutIds(exportHeader)}\n'=X,'=Arts,2,,Music,,1,,true\n`);
    const { out } = await runCommand(server.database.url, ['export', '--escape-formulas']);
    expect(out.startsWith(`\uFEFF${exportHeader}\n`)).toBe(true);
    expect((await importFile(server, content.toString())).body).toMatchObject({ outcome: 'imported', rows: 1 });
  });

  it('is an Excel file too, which can be imported again, over HTTP and by the command line', async () => {
    const response = await download('/export/catalog.xlsx');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': xlsxType,
      'content-disposition': 'attachment; filename="catalog.xlsx"',
    });
    const file = new Uint8Array(await response.arrayBuffer());
    const report = { sheet: 'Catalog', encoding: null, rows: 4, changeCount: 0, createdCount: 0, missingCount: 0 };
    for (const update of ['false', 'true']) {
      const { body } = await importFile(server, file, { type: xlsxType, query: { update } });
      expect(body).toMatchObject({ outcome: 'imported', ...report, conflictCount: 0, ignoredColumns: [] });
    }

    const path = join(makeFolder(), 'Catalog.XLSX');
    const exit = await runCommand(server.database.url, ['export', '--format', 'xlsx'], {
      onBytes: (bytes) => void writeFileSync(path, bytes),
    });
    expect(exit.exitCode).toBe(0);
    await server.database.query(emptyCatalog);
    const { exitCode, out, err } = await runCommand(server.database.url, ['import', path]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringContaining('Reading the sheet "Catalog".') });
    expect(out).toContain('programs  3 created');
    expect(withoutIds(await exported('/export/catalog.csv'))).toContain('=X,=Arts,2,,Music');
  });

  it('numbers equal records when there are any among its own', async () => {
    await importFile(server, `${header},program_occurrence\n,Arts,1,,,,,,1\n,Arts,1,,,,,,2\n`);
    expect(withoutIds(await exported('/export/catalog.csv?duration=1'))).toBe(
      `${withoutIds(exportHeader)},program_occurrence,branch_occurrence\n,Arts,1,,,,,,,1,\n,Arts,1,,,,,,,2,\n`,
    );
    await server.database.query(
      `INSERT INTO branches (program_id, name, deleted_at) SELECT id, 'Music', now() FROM programs WHERE duration = '2'`,
    );
    expect(withoutIds(await exported('/export/catalog.csv?duration=2'))).toBe(
      `${withoutIds(exportHeader)}\n=X,=Arts,2,,Music,,1,,true\n`,
    );
  });
});

describe('exports', () => {
  const waiting = async () => (await server.database.query(`SELECT count(*)::int AS n ${waitingForLocks}`))[0]?.['n'];

  it('are limited in number, and end when their client leaves', async () => {
    const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');
    const keys = await Promise.all(
      [1, 2, 3, 4].map((number) => server.makeKey({ user: `viewer ${number}`, role: 'viewer' })),
    );
    const clients = keys.map((key) => ({ key, controller: new AbortController() }));
    onTestFinished(() => {
      for (const { controller } of clients) controller.abort();
    });
    const downloads = clients.map(({ key, controller: { signal } }) =>
      download('/export/catalog.csv', { key, signal }).catch(() => undefined),
    );
    await within(5_000, async () => expect(await waiting()).toBe(4));

    const rejected = await download('/export/catalog.csv');
    expect([rejected.status, rejected.headers.get('retry-after'), rejected.headers.get('content-disposition')]).toEqual(
      [503, '5', null],
    );
    clients[0]?.controller.abort();
    await within(5_000, async () => expect(await waiting()).toBe(3));
    // Its place is free once the connection is closed, a moment after its statement ended.
    const next = within(5_000, async () => {
      const response = await download('/export/catalog.csv');
      expect(response.status).not.toBe(503);
      return response;
    });
    await within(5_000, async () => expect(await waiting()).toBe(4));
    await lock.release();
    const statuses = await Promise.all([...downloads.slice(1), next].map(async (response) => (await response)?.status));
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(server.logged.filter((line) => /"level":(?:50|40)/.test(line))).toEqual([]);
  });
});
