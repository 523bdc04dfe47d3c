import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workbookOf } from '@service/tabular/testing/workbook';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../cli/run-command.ts';
import { emptyCatalog } from '../../support/database.ts';
import { makeFolder } from '../../support/files.ts';
import { useServer } from '../../support/server.ts';
import { importFile } from './import-file.ts';

const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });
const folder = makeFolder();
afterEach(() => server.database.query(emptyCatalog));

interface Given {
  readonly type?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** The rows of a file as they are understood, and what else its dry run reports. */
async function check(content: string | Buffer, { type = 'text/csv', query = {} }: Given = {}) {
  const { status, body } = await importFile(server, new Uint8Array(Buffer.from(content)), {
    type,
    query: { dryRun: 'true', ...query },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const rows = body.sample.map(({ cells }: { cells: Record<string, unknown> }) =>
    ['program_code', 'program_name', 'branch_name', 'branch_code_is_numeric'].map((column) => cells[column]),
  );
  return { ...body, rows };
}

const csv = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const program = 'program_code,program_name,program_duration';
const both = [
  ['CS', 'Computing', null, null],
  ['LW', 'Law', null, null],
];

describe('a file of other software', () => {
  it.each<[string, string, Given?]>([
    [
      'has spaces before its quotes, and after them',
      csv('program_code, program_name, program_duration', '"CS", "Computing" ,"3"', ' "LW", "Law", "4"'),
    ],
    [
      'has names of columns as people write them',
      csv('Program Code,PROGRAM-NAME,program duration', 'CS,Computing,3', 'LW,Law,4'),
    ],
    [
      'has the names of its columns on each page',
      csv(program, 'CS,Computing,3', program, 'LW,Law,4', 'Program Code,Program Name,Program Duration'),
    ],
    [
      'has other names on each page',
      csv('Code,Programme,Length', 'CS,Computing,3', 'Code,Programme,Length', 'LW,Law,4'),
      { query: { 'map.program-code': 'code', 'map.Program Name': 'PROGRAMME', 'map.program_duration': 'Length' } },
    ],
    [
      'is JSON lines',
      csv(
        '{"program_code":"CS","program_name":"Computing","program_duration":"3"}',
        '{"Program-Code":"LW","program name":"Law","PROGRAM_DURATION":"4"}',
      ),
      { type: 'application/json' },
    ],
    [
      'is JSON lines of their own type',
      '\n{"program_code":"CS","program_name":"Computing","program_duration":"3"} {"program_code":"LW","program_name":"Law","program_duration":"4"}',
      { type: 'application/x-ndjson' },
    ],
  ])('is read: it %s', async (_what, content, given) => {
    expect(await check(content, given)).toMatchObject({ problems: [], rows: both });
  });

  it('has quotes with a backslash before them', async () => {
    const rows = csv(
      program,
      '"A","The \\"Great Books\\" program","4"',
      '"B","\\"","5"',
      '"C","C:\\\\","6"',
      '"D","x",7',
    );
    expect((await check(rows)).rows.map(([, name]: string[]) => name)).toEqual([
      'The "Great Books" program',
      '"',
      'C:\\\\',
      'x',
    ]);
  });

  it('says true and false in its own language', async () => {
    const yes = ['PRAWDA', 'Wahr', 'vrai', 'WAAR', 'IGAZ', 'ΑΛΗΘΗΣ', 'Ja', 'yes', '1', 'TRUE'];
    const no = ['FAŁSZ', 'FALSCH', 'FAUX', 'ЛОЖЬ', 'YANLIŞ', 'Falso', 'nein', 'No', '0', ' false '];
    const { rows } = await check(
      csv(
        'program_name,program_duration,branch_name,branch_years,branch_code_is_numeric',
        ...[...yes, ...no].map((word, place) => `Law,4,${place},4,${word}`),
      ),
    );
    expect(rows.map(([, , , isNumeric]: unknown[]) => isNumeric)).toEqual([
      ...yes.map(() => true),
      ...no.map(() => false),
    ]);
  });

  it('says which rows repeat the names of its columns, and which are hidden', async () => {
    expect(await check(csv(program, 'CS,Computing,3', program))).toMatchObject({
      repeatedHeaders: 1,
      hiddenRows: 0,
      hiddenColumns: 0,
    });
    expect(await check(csv(program, 'CS,Computing,3', `${program},x`))).toMatchObject({
      repeatedHeaders: 0,
      skipped: 1,
    });
  });

  it('names a program once, above its branches: with fillDown they have it', async () => {
    const lines = [
      'ENG,Engineering,4,Civil,4',
      ',,,Mechanical,4',
      ',,,,',
      ',,,,3',
      'LAW,Law,3,Public Law,3',
      ',Arts,,Music,2',
      'x,"y"z',
      ',,,Lost,4',
    ];
    const file = csv(`${program},branch_name,branch_years`, ...lines);

    const report = await check(file, { query: { fillDown: 'true', skipInvalid: 'true' } });
    expect(report.rows.map((row: unknown[]) => row.slice(0, 3))).toEqual([
      ['ENG', 'Engineering', 'Civil'],
      ['ENG', 'Engineering', 'Mechanical'],
      ['ENG', 'Engineering', null],
      ['LAW', 'Law', 'Public Law'],
    ]);
    expect(report.problems.map(({ line, column }: { line: number; column: string }) => [line, column])).toEqual([
      [7, 'program_duration'],
      [8, null],
      [9, 'program_name'],
      [9, 'program_duration'],
    ]);
    expect(await check(file, { query: { skipInvalid: 'true' } })).toMatchObject({
      skipped: 5,
      programs: { created: 2 },
    });
  });

  it('has rows that are filled from above in its rejected rows, so that they can be imported alone', async () => {
    const file = csv(`${program},branch_name,branch_years`, 'ENG,Engineering,4,Civil,4', ',,,Mechanical,99');
    const { rejectedCsv } = await check(file, { query: { fillDown: 'true' } });
    expect(rejectedCsv).toMatch(/^3,.*,ENG,Engineering,4,Mechanical,99$/m);
  });

  it('is rejected with what is wanted', async () => {
    const rejected = async (content: string, type: string) =>
      (await importFile(server, content, { type })).body.errors.file;
    const lists = [
      '{"count":1,"value":[{"program_name":"Law"}]}',
      '{"data":{"programs":{"count":1,"items":[{"id":1}]}}}',
    ];
    for (const content of lists) {
      expect(await rejected(content, 'application/json')).toEqual([
        'Line 1: the file is an object that has a list of objects in it. Save that list alone, as a JSON array, and import that.',
      ]);
    }
    const row = '{"program_name":"Law","program_duration":"3","note":{"by":[{"id":1}],"text":["[{"]}}';
    expect(await check(row, { type: 'application/json' })).toMatchObject({ problems: [], programs: { created: 1 } });
    expect(await rejected('"Law"', 'application/json')).toEqual([
      'Line 1: the file must be a JSON array of objects, or have an object on each line.',
    ]);
    const { body } = await importFile(server, '[]\n[]', { type: 'application/json' });
    expect(body.problems).toMatchObject([{ field: 'file', rule: 'DATA_AFTER_JSON', details: { line: 2 } }]);
  });
});

it('the report of a file of errors is small, however many and long they are', async () => {
  const columns = Array.from({ length: 400 }, (_, at) => `program_attr:${at}`);
  const row = `,,${columns.map(() => 'x'.repeat(600)).join()}`;
  const report = await check(csv(`program_name,program_duration,${columns}`, ...Array.from({ length: 60 }, () => row)));
  expect(report).toMatchObject({ skipped: 60, problemCount: 60 * 402, problems: { length: 1_000 } });
  expect(JSON.stringify(report).length).toBeLessThan(2_000_000);
});

describe('a workbook', () => {
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const cells = (...texts: readonly string[]): string => texts.map(cell).join('');
  const header = `<cols><col min="2" max="2" hidden="1"/></cols><row r="1">${cells('program_code', 'Note', 'program_name', 'program_duration')}</row>`;
  const rows = `<row r="2">${cells('CS', 'x', 'Computing', '3')}</row><row r="3" hidden="1">${cells('LW', 'y', 'Law', '4')}</row>`;

  it('with macros is read, with its hidden rows, which can be left out', async () => {
    const file = await workbookOf({ header, rows });
    const type = 'application/vnd.ms-excel.sheet.macroEnabled.12';
    const found = { hiddenRows: 1, hiddenColumns: 1 };
    expect(await check(file, { type })).toMatchObject({ ...found, rows: both, ignoredColumns: ['"Note"'] });
    expect(await check(file, { type, query: { skipHidden: 'true' } })).toMatchObject({
      ...found,
      rows: both.slice(0, 1),
      ignoredColumns: [],
    });

    await writeFile(join(folder, 'catalog.XLSM'), file);
    const run = (...more: string[]) =>
      runCommand(server.database.url, ['import', join(folder, 'catalog.XLSM'), '--dry-run', ...more]);
    expect((await run()).err).toContain(
      'Hidden rows and columns: 1 and 1, read as all others; --skip-hidden leaves them out.\n',
    );
    const { out, err } = await run('--skip-hidden');
    expect(err).toContain('Hidden rows and columns: 1 and 1, left out.\n');
    expect(out).toContain('1 of 1 rows');
  });

  it('hides rows without a height and columns without a width, too', async () => {
    const file = await workbookOf({
      header: header.replace('hidden="1"', 'width="0.0" customWidth="1"'),
      rows: rows.replace('hidden="1"', 'ht="0" customHeight="1"').replace('r="2"', 'r="2" ht="0.5"'),
    });
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(await check(file, { type })).toMatchObject({ hiddenRows: 1, hiddenColumns: 1, rows: both });
  });

  it('is read as foreign suites write it', async () => {
    const foreign = `<row r="1"><c r="a1" t="str"><v>program_code</v></c><c r="b1" t="inlineStr"><v>program_name</v><is><t>program_name</t></is></c></row><row r="1"><c r="c1" t="str"><v>program_duration</v></c></row>
      <row r="2"><c r="a2" t="str"><v>CS</v><is><t>CS</t></is></c><c r="b2" t="inlineStr"><is><t>Computing</t></is></c></row><row r="2"><c r="c2"><v>3</v></c></row>`;
    const file = await workbookOf({ header: foreign });
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(await check(file, { type })).toMatchObject({ problems: [], rows: both.slice(0, 1) });
  });
});

it('line breaks are stored in one form, whatever a file or a request has, and compared so', async () => {
  const { id } = await server.make.program({ name: 'Law' });
  await server.make.branch(id, { name: 'Public', description: 'One\r\ntwo\rthree\u2028four\v' });
  const description = async () =>
    (await server.graphql('{ branchesConnection { nodes { description } } }')).body.data.branchesConnection.nodes;
  expect(await description()).toEqual([{ description: 'One\ntwo\nthree\nfour\n' }]);

  const exported = await (await server.get('/export/catalog.csv')).text();
  for (const other of [exported.replaceAll('\n', '\r\n'), exported.replace('three\n', 'three\u2029')]) {
    const { body } = await importFile(server, other, { query: { update: 'true' } });
    expect(body).toMatchObject({ changes: [], conflicts: [], branches: { unchanged: 1 } });
  }
});
