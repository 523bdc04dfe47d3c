import { beforeEach, describe, expect, it } from 'vitest';
import { bulkOf } from '../bulk/mutations.ts';
import { importFile, reportOf } from '../import-export/import/import-file.ts';
import { emptyCatalog } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const { undo } = bulkOf(server);
beforeEach(() => server.database.query(emptyCatalog));

const header = 'program_code,program_name,program_duration,branch_code,branch_name,branch_years';
const file = (columns: string, ...lines: string[]): string => [`${header},${columns}`, ...lines].join('\n');

const imported = (content: string, query: Readonly<Record<string, string>> = {}, type = 'text/csv') =>
  reportOf(server, content, { query, type });

async function exported(format: 'csv' | 'json' | 'xlsx', query = ''): Promise<Uint8Array<ArrayBuffer>> {
  const response = await server.get(`/export/catalog.${format}${query}`);
  return new Uint8Array(await response.arrayBuffer());
}

const attributes = () =>
  server.database.query(
    `SELECT name, attributes, version FROM (
      SELECT 1 AS place, id, name, attributes, version FROM programs UNION ALL SELECT 2, id, name, attributes, version FROM branches
    ) AS record ORDER BY place, id`,
  );

const two = file(
  'program_attr:level,branch_attr:Shift,branch_attr:intake.26',
  'BSC,Science,3 years,OPT,Optics,1,UG, 1st ,24',
  'BSC,Science,3 years,WAV,Waves,1,UG,,',
);

describe('an import of attributes', () => {
  it('has a column for each key, in its letter case, of programs and of branches', async () => {
    expect(await imported(two.replace('program_attr:level', 'Program_Attr:level'))).toMatchObject({
      outcome: 'imported',
      ignoredColumns: [],
      sample: [
        { cells: { 'program_attr:level': 'UG', 'branch_attr:Shift': '1st', 'branch_attr:intake.26': '24' } },
        { cells: { 'branch_attr:Shift': null } },
      ],
    });
    expect(await attributes()).toEqual([
      { name: 'Science', version: 1, attributes: { level: 'UG' } },
      { name: 'Optics', version: 1, attributes: { Shift: '1st', 'intake.26': '24' } },
      { name: 'Waves', version: 1, attributes: {} },
    ]);
  });

  it('takes them from columns with other names, also in JSON', async () => {
    const query = { 'map.branch_attr:shift': 'the SHIFT', 'map.program_attr:level': 'Degree' };
    await imported(file('The Shift,degree', 'BSC,Science,3 years,OPT,Optics,1,2nd,UG'), query);
    const row = {
      program_code: 'MSC',
      program_name: 'Science',
      program_duration: '2 years',
      branch_name: 'Optics',
      branch_years: 1,
      'the shift': '1st',
      Degree: 'PG',
      'branch_attr:place': 'Port Blair',
    };
    await imported(JSON.stringify([row]), query, 'application/json');
    expect((await attributes()).map(({ attributes }) => attributes)).toEqual([
      { level: 'UG' },
      { level: 'PG' },
      { shift: '2nd' },
      { place: 'Port Blair', shift: '1st' },
    ]);
  });

  it.each([
    ['text/csv', file('branch_attr:Shift,branch_attr:Place', 'BSC,Science,3 years,OPT,Optics,1,1st,Port Blair')],
    [
      'application/json',
      '[{"program_name": "Science", "program_duration": "3 years", "branch_name": "Optics", "branch_years": 1,' +
        ' "branch_attr:Shift": "1st", "branch_attr:Place": "Port Blair"}]',
    ],
  ])('leaves out one whose key has capitals, of %s', async (type, text) => {
    await imported(text, { 'map.branch_attr:Shift': '' }, type);

    expect((await attributes()).at(-1)).toMatchObject({ attributes: { Place: 'Port Blair' } });
  });

  it('rejects a parameter for a key that is none, and ignores such columns', async () => {
    const { status, body } = await importFile(server, two, { query: { 'map.branch_attr:a b': 'x' } });
    expect({ status, body }).toEqual({
      status: 400,
      body: expect.objectContaining({ errors: { 'map.branch_attr:a b': ['There is no such parameter.'] } }),
    });
    const report = await imported(file('branch_attr:a b,branch_attr:', 'BSC,Science,3 years,OPT,Optics,1,x,y'));
    expect(report.ignoredColumns).toEqual(['"branch_attr:a b"', '"branch_attr:"']);
  });

  it('changes those that a file names and no others, with update; an empty cell removes one', async () => {
    await imported(two);
    const changed = file(
      'branch_attr:Shift,branch_attr:place',
      'BSC,Science,3 years,OPT,Optics,1,2nd,',
      'BSC,Science,3 years,WAV,Waves,1,,Port Blair',
    );
    expect(await imported(changed)).toMatchObject({
      branches: { changed: 0, unchanged: 2 },
      conflicts: [
        { line: 2, column: 'branch_attr:Shift', value: '2nd', kept: '1st', kind: 'branch', recordId: 1 },
        { line: 3, column: 'branch_attr:place', value: 'Port Blair', kept: null },
      ],
    });
    const report = await imported(changed, { update: 'true' });
    expect(report).toMatchObject({
      programs: { changed: 0, unchanged: 1 },
      branches: { changed: 2, unchanged: 0 },
      changes: [
        { line: 2, column: 'branch_attr:Shift', from: '1st', to: '2nd' },
        { line: 3, column: 'branch_attr:place', from: null, to: 'Port Blair' },
      ],
    });
    const after = [
      { name: 'Science', version: 1, attributes: { level: 'UG' } },
      { name: 'Optics', version: 2, attributes: { Shift: '2nd', 'intake.26': '24' } },
      { name: 'Waves', version: 2, attributes: { place: 'Port Blair' } },
    ];
    expect(await attributes()).toEqual(after);
    expect(await imported(changed, { update: 'true' })).toMatchObject({ branches: { changed: 0, unchanged: 2 } });
    const removing = file('branch_attr:place', 'BSC,Science,3 years,WAV,Waves,1,');
    expect(await imported(removing, { update: 'true' })).toMatchObject({
      changes: [{ column: 'branch_attr:place', from: 'Port Blair', to: null }],
    });
    expect((await attributes())[2]).toEqual({ name: 'Waves', version: 3, attributes: {} });
    const columns = file('branch_attr:Shift').trim().split(',');
    const cells = ['BSC', 'Science', '3 years', 'OPT', 'Optics', 1, null];
    const row = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
    expect(await imported(JSON.stringify([row]), { update: 'true' }, 'application/json')).toMatchObject({
      branches: { changed: 0, unchanged: 1 },
    });
    expect(await undo(report.changeId)).toMatchObject({ undone: 1, leftCount: 0 });
    expect((await attributes())[1]).toEqual({
      name: 'Optics',
      version: 3,
      attributes: { Shift: '1st', 'intake.26': '24' },
    });
  });

  it('reports an earlier row of the same record that says otherwise', async () => {
    const report = await imported(
      file('program_attr:level', 'BSC,Science,3 years,OPT,Optics,1,UG', 'BSC,Science,3 years,WAV,Waves,1,PG'),
    );
    expect(report.conflicts).toMatchObject([{ line: 3, column: 'program_attr:level', kept: 'UG', keptLine: 2 }]);
    expect((await attributes())[0]).toMatchObject({ attributes: { level: 'UG' } });
  });

  it('reports values that break the rules, by their column', async () => {
    const long = 'x'.repeat(501);
    expect(await imported(file('branch_attr:a', `BSC,Science,3 years,OPT,Optics,1,${long}`))).toMatchObject({
      outcome: 'rejected',
      problems: [{ line: 2, column: 'branch_attr:a', message: 'branch_attr:a must be at most 500 characters long.' }],
    });
    const row = { program_name: 'Science', program_duration: '3', branch_name: 'Optics', branch_years: 1 };
    const rows = [
      { ...row, program_attributes: ['UG'] },
      { ...row, branch_attributes: { 'a b': 'x', intake: 24 } },
      { ...row, branch_attributes: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'x'])) },
    ];
    expect((await imported(JSON.stringify(rows), {}, 'application/json')).problems).toMatchObject([
      {
        column: 'program_attributes',
        message: 'program_attributes must be an object of texts, such as {"level":"Diploma"}.',
      },
      {
        column: 'branch_attributes',
        message: 'branch_attributes has the key "a b", which is not 1 to 40 of A-Z a-z 0-9 _ . -.',
      },
      { column: 'branch_attr:intake', message: 'branch_attr:intake must be a string.', value: '24' },
      { column: null, message: 'A branch has at most 50 attributes.' },
    ]);
  });

  it('refuses a row whose attributes are too many together with those of the record, or leaves them out', async () => {
    await imported(two);
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`key${index}`, 'x']));
    await server.database.query('UPDATE branches SET attributes = $1 WHERE id = 1', [{ ...many, Shift: '1st' }]);
    const over = file('branch_attr:a', 'BSC,Science,3 years,OPT,Light,1,x', 'BSC,Science,3 years,WAV,Waves,1,x');
    const problem = {
      line: 2,
      column: null,
      message: 'The branch 1 would have more than 50 attributes together with those that it has.',
      value: null,
    };
    expect(await imported(over)).toMatchObject({ outcome: 'imported', problemCount: 0 });
    expect(await imported(over, { update: 'true' })).toMatchObject({
      outcome: 'rejected',
      skipped: 1,
      problems: [problem],
    });
    expect(await imported(over, { update: 'true', skipInvalid: 'true' })).toMatchObject({
      outcome: 'imported',
      skipped: 0,
      problems: [problem],
      problemCount: 1,
      branches: { changed: 2 },
      changes: [{ column: 'branch_name' }, { column: 'branch_attr:a' }],
    });
    expect(await attributes()).toMatchObject([
      {},
      { name: 'Light', attributes: { ...many, Shift: '1st' } },
      { name: 'Waves', attributes: { a: 'x' } },
    ]);
  });

  it('reports attributes of a branch in a row without one', async () => {
    const report = await imported(file('branch_attr:a', 'BSC,Science,3 years,,,,x'));
    expect(report.conflicts).toMatchObject([{ column: 'branch_attr:a', value: 'x' }]);
  });

  it('gives rejected rows of JSON back as CSV that can be imported, with all their attributes', async () => {
    const row = { program_name: 'Science', program_duration: '3', branch_name: 'Optics', branch_years: 99 };
    const given = { ...row, program_attributes: { level: 'UG' }, 'branch_attr:place': 'Port Blair' };
    const { rejectedCsv } = await imported(JSON.stringify([given]), {}, 'application/json');
    await imported(rejectedCsv.replace('99', '3'));
    expect(await attributes()).toMatchObject([
      { attributes: { level: 'UG' } },
      { attributes: { place: 'Port Blair' } },
    ]);
  });
});

describe('an export of attributes', () => {
  it('has a column for each key in use, those of programs first, and objects in JSON', async () => {
    await imported(two);
    await imported(file('branch_attr:gone', 'LAW,Law,3 years,TAX,Tax,1,x'));
    await server.database.query(`UPDATE branches SET deleted_at = now() WHERE code = 'TAX'`);
    const [first, ...rows] = Buffer.from(await exported('csv'))
      .toString()
      .trim()
      .split('\n');
    expect(first).toBe(
      'program_id,program_code,program_name,program_duration,branch_id,branch_code,branch_name,branch_description,branch_years,branch_code_prefix,branch_code_is_numeric,program_attr:level,branch_attr:Shift,branch_attr:intake.26',
    );
    expect(rows).toEqual([
      '1,BSC,Science,3 years,1,OPT,Optics,,1,,true,UG,1st,24',
      '1,BSC,Science,3 years,2,WAV,Waves,,1,,true,UG,,',
      '2,LAW,Law,3 years,,,,,,,,,,',
    ]);
    expect(JSON.parse(Buffer.from(await exported('json')).toString())).toMatchObject([
      { program_attributes: { level: 'UG' }, branch_attributes: { Shift: '1st', 'intake.26': '24' } },
      { program_attributes: { level: 'UG' }, branch_attributes: {} },
      { program_attributes: {}, branch_attributes: null },
    ]);
  });

  it('is JSON, or of fewer programs, when a table would have more columns than an import takes', async () => {
    await server.database.query(`INSERT INTO programs (name, duration, attributes)
      SELECT 'Program ' || n, '1', jsonb_build_object('key-' || n, 'x') FROM generate_series(1, 990) AS n`);
    for (const format of ['csv', 'xlsx'] as const)
      expect(JSON.parse(Buffer.from(await exported(format)).toString())).toEqual({
        message:
          'The file would have more than 1000 columns, since there are so many keys of attributes. Please export JSON, or fewer programs.',
      });
    expect(JSON.parse(Buffer.from(await exported('json')).toString())).toHaveLength(990);
    const all = Buffer.from(await exported('csv', '?attributes.key-990=')).toString();
    expect(all.slice(0, all.indexOf('\n')).split(',')).toHaveLength(1_000);
  });

  it('can be of a search of attributes', async () => {
    await imported(two);
    const csv = Buffer.from(await exported('csv', '?search=ug&searchAttributes=true')).toString();
    expect(csv).toContain('Optics');
    expect(Buffer.from(await exported('csv', '?search=ug')).toString()).not.toContain('Optics');
  });

  it('can be of programs that have attributes, and lack others', async () => {
    await imported(two);
    await imported(file('program_attr:level,program_attr:a.b-c', 'LAW,Law,3 years,,,,UG,x & y', 'ART,Art,1,,,,PG,'));
    const codesIn = async (query: string) => {
      const rows: { program_code: string }[] = JSON.parse(Buffer.from(await exported('json', query)).toString());
      return [...new Set(rows.map(({ program_code }) => program_code))];
    };
    expect(await codesIn('?attributes.level=UG')).toEqual(['BSC', 'LAW']);
    expect(await codesIn('?attributes.level=UG&attributes.a.b-c=x+%26%20y')).toEqual(['LAW']);
    expect(await codesIn('?attributes.level=UG&attributes.a.b-c=&hasBranches=true')).toEqual(['BSC']);
    expect(await codesIn('?attributes.a.b-c=')).toEqual(['BSC', 'ART']);
    expect(await codesIn('?attributes.Level=UG')).toEqual([]);
    for (const format of ['csv', 'xlsx'] as const)
      expect((await exported(format, '?attributes.level=PG')).length).toBeLessThan((await exported(format)).length);
  });

  it('says which attributes of its filter are none', async () => {
    const line = `attributes.level=${'x'.repeat(501)}&attributes.place=a%0Ab&attributes.shift=1&attributes.shift=2`;
    const problems = JSON.parse(Buffer.from(await exported('csv', `?${line}&attributes.=x&attributes.é=x`)).toString());
    const form = 'must be one line of 1 to 500 characters, or empty, once.';
    expect(problems.errors).toEqual({
      'attributes.level': [`attributes.level ${form}`],
      'attributes.place': [`attributes.place ${form}`],
      'attributes.shift': [`attributes.shift ${form}`],
      'attributes.': ['There is no such parameter.'],
      'attributes.é': ['There is no such parameter.'],
    });
    const many = Array.from({ length: 51 }, (_, index) => `attributes.k${index}=1`).join('&');
    expect(JSON.parse(Buffer.from(await exported('csv', `?${many}`)).toString()).errors).toEqual({
      attributes: ['attributes must be at most 50.'],
    });
  });
});
