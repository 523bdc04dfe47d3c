import { lockTable } from '@service/postgres/testing/table-lock';
import { afterEach, describe, expect, it } from 'vitest';
import { createImporter } from '../../../src/academics/import-export/import/importer.ts';
import { emptyCatalog } from '../../support/database.ts';
import { subscribe } from '../../support/event-stream.ts';
import { adminKey, useServer } from '../../support/server.ts';
import { programSnapshot } from '../../support/snapshots.ts';
import { csv, givenFile, header, importFile, nothingFound, reportOf as reportOfFile } from './import-file.ts';

// No test reads what another one has left in the response cache.
const server = useServer({ IMPORT_MAX_BYTES: '4000000', RESPONSE_CACHE_MAX_BYTES: '0' });
afterEach(() => server.database.query(emptyCatalog));

type Sent = Parameters<typeof importFile> extends [unknown, ...infer Rest] ? Rest : never;
const reportOf = (...sent: Sent) => reportOfFile(server, ...sent);
const errorOf = async (...sent: Sent) => {
  const { status, body } = await importFile(server, ...sent);
  return { status, body };
};
const programs = async () =>
  (await server.graphql('{ programs { items { code name duration branches { name years { code } } } } }')).body.data
    .programs.items;

const science = csv(
  'BSC,Science,3 years,Optics,Light,2,O,true',
  'BSC,Science,3 years,Waves,,1,W,false',
  ',Arts,1,,,,,',
);
const nothing = { created: 0, changed: 0, unchanged: 0 };

describe('an import', () => {
  it('creates the programs, branches and years of a file, and reports them', async () => {
    expect(await programs()).toEqual([]);

    expect(await reportOf(science)).toEqual({
      outcome: 'imported',
      changeId: expect.any(String),
      rows: 3,
      ...nothingFound,
      programs: { created: 2, changed: 0, unchanged: 0 },
      branches: { created: 2, changed: 0, unchanged: 0 },
      years: { created: 3, changed: 0, removed: 0 },
      rejectedCsv: null,
      created: [
        { line: 2, kind: 'program', code: 'BSC', name: 'Science', programName: null },
        { line: 2, kind: 'branch', code: null, name: 'Optics', programName: 'Science' },
        { line: 3, kind: 'branch', code: null, name: 'Waves', programName: 'Science' },
        { line: 4, kind: 'program', code: null, name: 'Arts', programName: null },
      ],
      createdCount: 4,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      sample: [2, 3, 4].map((line) => expect.objectContaining({ line })),
      encodingSample: [],
      headerRow: 1,
      sheet: null,
      sheets: [],
      ignoredColumns: [],
    });
    expect(await programs()).toEqual([
      {
        code: 'BSC',
        name: 'Science',
        duration: '3 years',
        branches: [
          { name: 'Optics', years: [{ code: 'O1' }, { code: 'O2' }] },
          { name: 'Waves', years: [{ code: 'WA' }] },
        ],
      },
      { code: null, name: 'Arts', duration: '1', branches: [] },
    ]);
  });

  it('shows what is understood, new, and missing in the file, without what is deleted, before anything changes', async () => {
    await reportOf(science);
    await server.database.query(
      `INSERT INTO branches (program_id, name, deleted_at) VALUES (1, 'Gone', now());
       INSERT INTO programs (name, duration, deleted_at) VALUES ('Gone', '1', now())`,
    );

    const report = await reportOf(csv('BSC,Science,3 years,Optics,,2.0,,', 'NEW,Law,2,Civil,,1,,'), {
      query: { dryRun: 'true' },
    });
    expect(report).toMatchObject({
      outcome: 'checked',
      sample: [
        {
          line: 2,
          cells: { program_code: 'BSC', branch_name: 'Optics', branch_years: 2, branch_code_is_numeric: null },
        },
        { line: 3, cells: { program_name: 'Law', branch_name: 'Civil' } },
      ],
      created: [
        { line: 3, kind: 'program', code: 'NEW', name: 'Law', programName: null },
        { line: 3, kind: 'branch', code: null, name: 'Civil', programName: 'Law' },
      ],
      createdCount: 2,
      missing: [{ kind: 'branch', recordId: 2, programId: 1, code: null, name: 'Waves', programName: 'Science' }],
      missingCount: 1,
    });
    expect((await programs()).length).toBe(2);
    const whole = await reportOf(csv('BSC,Science,3 years,Optics,,2,,'), {
      query: { dryRun: 'true', wholeCatalog: 'true' },
    });
    expect(whole.missing).toMatchObject([{ name: 'Waves' }, { kind: 'program', name: 'Arts', recordId: 2 }]);
  });

  it('says which encoding a file was taken for and by which rows one sees it, and takes another on request', async () => {
    const windows = new Uint8Array(Buffer.from(csv(',Arts,1,,,,,', ',Études,1,Arménien,,1,,'), 'latin1'));
    expect(await reportOf(windows, { query: { encoding: 'windows-1251', dryRun: 'true' } })).toMatchObject({
      encoding: 'Windows-1251',
      sample: [{}, { cells: { program_name: 'Йtudes' } }],
    });
    expect(await reportOf(windows)).toMatchObject({
      encoding: 'Windows-1252',
      encodingSample: [{ line: 3, text: 'Études, Arménien' }],
      outcome: 'imported',
    });
    expect(await programs()).toMatchObject([{ name: 'Arts' }, { name: 'Études' }]);
    expect(await errorOf(windows, { query: { encoding: 'UTF-8' } })).toMatchObject({
      body: { errors: { file: ['Line 3 is not UTF-8. Save the file as UTF-8 and import that.'] } },
    });
  });

  it('writes the audit log in the name of its caller, and the changes to subscribers', async () => {
    const events = await subscribe(server, 'subscription { catalogChanged { action kind program { name } } }');
    const key = await server.makeKey({ role: 'editor', user: 'ada' });
    await reportOf(csv(',Arts,1,,,,,'), { key, query: { fileName: 'arts.csv' } });

    const log = '{ auditLog(first: 2) { nodes { actor keyId requestId action subject after } } }';
    const { nodes } = (await server.graphql(log)).body.data.auditLog;
    const by = { actor: 'ada', keyId: expect.any(Number), requestId: expect.any(String) };
    expect(nodes).toMatchObject([
      { ...by, action: 'IMPORT', after: { file: 'arts.csv', rows: 1 } },
      { ...by, action: 'CREATE', after: programSnapshot({ name: 'Arts', duration: '1' }) },
    ]);
    expect(await events.result()).toMatchObject({ data: { catalogChanged: { program: { name: 'Arts' } } } });
  });

  it('rejects a file with problems, by line and column, or imports its valid rows', async () => {
    const file = csv(',Arts,1,,,,,', ',,1,Music,,99,,', 'a"b,c');
    const problems = [
      { line: 3, column: 'program_name', message: expect.stringContaining('program_name'), value: null },
      { line: 3, column: 'branch_years', message: expect.stringContaining('branch_years'), value: '99' },
      { line: 4, column: null, message: 'cannot be read: quote inside an unquoted cell', value: null },
    ];

    const rejected = await reportOf(file);
    expect(rejected).toMatchObject({
      outcome: 'rejected',
      rows: 3,
      skipped: 2,
      problems,
      problemCount: 3,
      programs: nothing,
    });
    expect(await programs()).toEqual([]);
    expect(await reportOf(file, { query: { skipInvalid: 'true' } })).toMatchObject({
      outcome: 'imported',
      skipped: 2,
      problemCount: 3,
      programs: { created: 1 },
    });
  });

  it('returns the rows with problems as a file, which can be imported once it is corrected', async () => {
    const lines = [
      'Program;program_duration;branch_name;branch_years;Note',
      'Arts;1;;;',
      'वास्तुकला;1;Design;99;"a; ""b"""',
      'Law;1;;;;x',
    ];
    const query = { 'map.program_name': 'Program', skipInvalid: 'true' };
    const { rejectedCsv } = await reportOf(lines.join('\n'), { query });
    expect(rejectedCsv.split('\n')).toEqual([
      'line,problem,Program,program_duration,branch_name,branch_years,Note',
      expect.stringMatching(/^3,"?branch_years .+,वास्तुकला,1,Design,99,"a; ""b"""$/),
      '4,has 6 cells where the header has 5,Law,1,,,,x',
      '',
    ]);

    const corrected = rejectedCsv.replace('Design,99', 'Design,5').replace(/\n4,.*/, '');
    expect(await reportOf(corrected, { query })).toMatchObject({
      outcome: 'imported',
      branches: { created: 1 },
      rejectedCsv: null,
      ignoredColumns: ['"line"', '"problem"', '"Note"'],
    });
  });

  it('takes JSON, other delimiters and other column names', async () => {
    const row = { program_name: 'Arts', program_duration: '1', branch_name: 'Music', branch_years: 1 };
    const json = JSON.stringify([row]);
    const created = { branches: { created: 1 } };
    const check = { dryRun: 'true' };

    expect(await reportOf(json, { type: 'Application/JSON; charset=utf-8', query: check })).toMatchObject(created);
    const tabs = 'program_name\tprogram_duration\tbranch_name\tbranch_years\nArts, and so on\t1\tMusic\t1\n';
    expect(await reportOf(tabs, { type: 'text/tab-separated-values', query: check })).toMatchObject(created);
    const other = 'Program;program_duration;branch_name;branch_years;Colour, or so\nArts;1;Music;1;red\n';
    const query = { ...check, 'map.program_name': ' program ' };
    expect(await reportOf(other, { query: { ...query, delimiter: 'semicolon' } })).toMatchObject({
      ...created,
      ignoredColumns: ['"Colour, or so"'],
    });
    expect(await errorOf(other, { query: { ...query, delimiter: 'tab' } })).toMatchObject({
      status: 400,
      body: {
        message: 'The request has invalid input.',
        errors: { file: [expect.stringContaining('The first row')] },
      },
    });
  });

  it('leaves out a column of the format: for another one, or altogether', async () => {
    const other = 'Title,program_name,program_duration,program_code,branch_name,branch_years\nArts,B.A.,1,X1,,\n';
    const rows = [{ Title: 'Arts', program_name: 'B.A.', program_duration: '1', program_code: 'X1' }];
    const query = { dryRun: 'true', 'map.program_name': 'Title', 'map.program_code': '' };
    for (const report of [
      await reportOf(other, { query }),
      await reportOf(JSON.stringify(rows), { type: 'application/json', query }),
    ]) {
      expect(report).toMatchObject({
        created: [{ name: 'Arts', code: null }],
        ignoredColumns: ['"program_name"', '"program_code"'],
      });
    }
  });

  it('rejects invalid, unknown and repeated parameters, all at once', async () => {
    const query =
      'encoding=x&sheet=&dryrun=true&dryRun=yes&delimiter=,&fileName=&map.program_name=A&map.branch_name=a&map.nothing=x';
    const response = await fetch(`${server.url}/import/catalog?${query}&update=true&update=true`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'text/csv' },
      body: science,
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: {
        message: 'The request has invalid input.',
        errors: {
          encoding: [
            'encoding must be one of UTF-8, Windows-1252, Windows-1250, Windows-1251, Windows-1253, Windows-1254, Windows-1255, Windows-1256, Windows-1257, Windows-1258, Windows-874, GB18030, Big5, Shift_JIS, EUC-KR, Macintosh, once.',
          ],
          sheet: ['sheet must be the name of a sheet, once.'],
          dryrun: ['There is no such parameter.'],
          dryRun: ['dryRun must be true or false, once.'],
          delimiter: ['delimiter must be comma, semicolon, tab or bar, once.'],
          fileName: ['fileName must not be blank.'],
          'map.branch_name': ['map.branch_name names the same column as map.program_name.'],
          'map.nothing': ['There is no such parameter.'],
          update: ['update must be true or false, once.'],
        },
      },
    });
    expect(await programs()).toEqual([]);
  });

  it.each([null, 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'rejects a file of another media type: %s',
    async (type) => {
      expect(await errorOf(new TextEncoder().encode(science), { type })).toEqual({
        status: 415,
        body: {
          message: 'The request has an invalid body.',
          errors: {
            body: [
              'The file must be sent as Content-Type: text/csv, or text/tab-separated-values, or application/json, or application/x-ndjson, or application/jsonl, or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, or application/vnd.ms-excel.sheet.macroenabled.12.',
            ],
          },
        },
      });
    },
  );

  it('rejects a file that cannot be read', async () => {
    expect(await errorOf(`${header}\n"`)).toMatchObject({
      status: 400,
      body: {
        message: 'The request has invalid input.',
        errors: { file: ['Line 2: the quoted cell that begins here is not closed.'] },
      },
    });
  });

  it.each([
    ['a viewer', { role: 'viewer' }, 'You need the permission programs:write.'],
    ['a guest', { role: 'guest' }, 'You need the permission programs:write.'],
    ['a read-only key of an administrator', { role: 'admin', readOnly: true }, 'This API key is read-only.'],
  ] as const)('is forbidden to %s', async (_who, fields, message) => {
    const key = await server.makeKey(fields);
    expect(await errorOf(science, { key })).toMatchObject({ status: 403, body: { message } });
    expect(await programs()).toEqual([]);
  });

  it('needs a credential before anything of the body is read', async () => {
    expect(await errorOf(science, { key: null, type: null })).toEqual({
      status: 401,
      body: { message: 'API key is missing.' },
    });
  });

  it('responds to other methods with 405, and to other addresses with 404', async () => {
    const send = (path: string, method: string) =>
      fetch(`${server.url}/import/${path}`, { method, headers: { 'x-api-key': adminKey } });
    for (const method of ['GET', 'PUT', 'OPTIONS']) {
      const response = await send('catalog', method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await send('other', 'POST')).status).toBe(404);
  });

  it('changes nothing when its client disconnects right before the commit', async () => {
    const left = new AbortController();
    const imported = createImporter(server.database.url)({
      ...givenFile(science, left.signal),
      beforeCommit: async () => left.abort(new Error('The client disconnected.')),
    });

    await expect(imported).rejects.toThrow('The client disconnected.');
    expect(await programs()).toEqual([]);
  });

  it('is reported as imported when its client leaves after the commit', async () => {
    const lock = await lockTable(server.database, 'programs', 'SHARE UPDATE EXCLUSIVE');
    const left = new AbortController();
    const imported = createImporter(server.database.url)(givenFile(science, left.signal));
    await lock.waitUntilBlocking();
    left.abort(new Error('The client disconnected.'));

    expect(await imported).toMatchObject({ outcome: 'imported', changeId: expect.any(String) });
    await lock.release();
    expect(await programs()).toHaveLength(2);
  });

  it('ignores an Idempotency-Key: repeated, it creates nothing twice', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    expect(await reportOf(science, { headers })).toMatchObject({ programs: { created: 2 } });
    expect(await reportOf(science, { headers })).toMatchObject({ programs: { created: 0, unchanged: 2 } });
  });
});
