// Which record a row is: by its id, by new codes, in the place of another; and rows that would lose a record.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { xlsxType } from '@service/tabular/xlsx';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../cli/run-command.ts';
import { emptyCatalog } from '../../support/database.ts';
import { makeFolder } from '../../support/files.ts';
import { useSharedServer } from '../../support/server.ts';
import { csv, importFile, reportOf } from './import-file.ts';

const folder = makeFolder();
const server = useSharedServer();
beforeEach(() => server.database.query(emptyCatalog));

const imported = (content: string, query: Record<string, string> = {}) => reportOf(server, content, { query });
const update = { update: 'true' };
const exported = async (format = 'csv', query = '') => {
  const response = await server.get(`/export/catalog.${format}${query}`);
  return Buffer.from(await response.arrayBuffer());
};
/** `id name duration: branch id name years, …` of each program. */
const catalog = async () =>
  (
    await server.database.query(`
      SELECT concat_ws(' ', p.id, p.code, p.name, p.duration) || ': ' || coalesce(string_agg(
        CASE WHEN b.id IS NOT NULL THEN concat_ws(' ', b.id, b.code, b.name,
          (SELECT count(*) FROM branch_years y WHERE y.branch_id = b.id)) END, ', ' ORDER BY b.id), '') AS line
      FROM programs p LEFT JOIN branches b ON b.program_id = p.id AND b.deleted_at IS NULL
      WHERE p.deleted_at IS NULL GROUP BY p.id ORDER BY p.id`)
  ).map(({ line }) => line);

const sample = csv(
  ',Arts,3 Years,Music,,3,M,',
  ',Arts,3 Years,Dance,,3,D,',
  ',Arts,3 Years,Theatre,,2,T,',
  ',Law,4 Years,Civil,,4,C,',
  ',Law,4 Years,Roman,,4,R,',
  ',Crafts,1 Year,,,,,',
);

describe('an export that comes back', () => {
  beforeEach(async () => void (await imported(sample)));

  it('changes nothing', async () => {
    expect(await imported((await exported()).toString(), { ...update, wholeCatalog: 'true' })).toMatchObject({
      ids: 'matched',
      programs: { created: 0, changed: 0, unchanged: 3 },
      branches: { created: 0, changed: 0, unchanged: 5 },
      createdCount: 0,
      missingCount: 0,
      conflictCount: 0,
    });
  });

  it('renames, corrects and adds what was changed in it, in any order', async () => {
    const [head = '', ...rows] = (await exported()).toString().trim().split('\n');
    const changed = rows
      .map((row) => row.replace('Arts,3 Years', 'Fine Arts,4 Years').replace('Dance,,3', 'Ballet,,2'))
      .toReversed();
    const report = await imported(
      [head, ...changed, ',,Fine Arts,4 Years,,,Opera,,1,O,', ',,Arts,3 Years,,,,,,,', ''].join('\n'),
      update,
    );
    expect(report).toMatchObject({
      programs: { created: 1, changed: 1, unchanged: 2 },
      branches: { created: 1, changed: 1, unchanged: 4 },
      missingCount: 0,
      conflictCount: 0,
    });
    expect(await catalog()).toEqual([
      '1 Fine Arts 4 Years: 1 Music 3, 2 Ballet 2, 3 Theatre 2, 6 Opera 1',
      '2 Law 4 Years: 4 Civil 4, 5 Roman 4',
      '3 Crafts 1 Year: ',
      '4 Arts 3 Years: ',
    ]);
  });

  it('gives a code and another name to a record at once, which had none', async () => {
    const file = (await exported())
      .toString()
      .replace('3,,Crafts', '3,CR,Trades')
      .replace(',5,,Roman', ',5,RL,Roman law');
    expect(await imported(file, update)).toMatchObject({ outcome: 'imported', ids: 'matched' });
    expect(await catalog()).toEqual([
      '1 Arts 3 Years: 1 Music 3, 2 Dance 3, 3 Theatre 2',
      '2 Law 4 Years: 4 Civil 4, 5 RL Roman law 4',
      '3 CR Trades 1 Year: ',
    ]);
  });

  it('in another catalog is matched by codes and names, since its ids say nothing there', async () => {
    const file = (await exported()).toString();
    await server.database.query(
      `${emptyCatalog}; SELECT setval('programs_id_seq', 1); SELECT setval('branches_id_seq', 2)`,
    );
    await imported(file);
    const before = await catalog();
    expect(await imported(file, update)).toMatchObject({
      ids: 'ofAnotherCatalog',
      programs: { created: 0, changed: 0, unchanged: 3 },
      branches: { created: 0, changed: 0, unchanged: 5 },
    });
    expect(await catalog()).toEqual(before);
  });

  it('has a problem where an id is of another program, or of one that is like the row in nothing', async () => {
    const head = 'program_id,program_name,program_duration,branch_id,branch_name,branch_years';
    const report = await imported(`${head}\n1,Arts,3 Years,4,Music,3\n3,Physics,5 Years,,,\n2,Law,4 Years,4,Civil,4\n`);
    expect(report).toMatchObject({
      outcome: 'rejected',
      problems: [
        { line: 2, column: 'branch_id', value: '4', message: expect.stringContaining('is of the program 2 ("Law")') },
        { line: 3, column: 'program_id', value: '3', message: expect.stringContaining('is "Crafts" in the catalog') },
      ],
    });
    expect(report.rejectedCsv).toContain('3,Physics,5 Years');
  });

  it('imports only what a report said, by its fingerprint: after another change it is a dry run', async () => {
    const head = 'program_id,program_name,program_duration\n';
    const options = { ...update, ownIds: 'true' };
    const given = async (body: string, fingerprint: string) =>
      (await imported(head + body, { ...options, fingerprint }))['outcome'];
    const { fingerprint } = await imported(`${head}1,Fine Arts,3 Years\n`, { ...options, dryRun: 'true' });
    await server.graphql('mutation { updateProgram(id: 1, input: { duration: "9 Years" }) { id } }');
    expect(await given('1,Fine Arts,3 Years\n', fingerprint)).toBe('checked');
    await server.graphql('mutation { updateProgram(id: 1, input: { duration: "3 Years" }) { id } }');
    await server.graphql('mutation { updateProgram(id: 2, input: { duration: "9 Years" }) { id } }');
    expect(await given('1,Other Arts,3 Years\n', fingerprint)).toBe('checked');
    expect(await given('1,Fine Arts,3 Years\n', fingerprint)).toBe('imported');
  });

  it('changes the records of its ids in everything when the caller says that they are of this catalog', async () => {
    const head = 'program_id,program_code,program_name,program_duration';
    const rows = '1,P,Physics,5 Years\n2,C,Chemistry,6 Years\n3,,Arts,3 Years\n';
    const report = await imported(`${head}\n${rows}`, { ...update, ownIds: 'true' });
    expect(report).toMatchObject({ ids: 'matched', programs: { created: 0, changed: 3 }, problemCount: 0 });
    expect((await catalog()).map((text) => String(text).split(':')[0])).toEqual([
      '1 P Physics 5 Years',
      '2 C Chemistry 6 Years',
      '3 Arts 3 Years',
    ]);
  });

  it('takes a row with an id that is none of the catalog for any other', async () => {
    const head = 'program_id,program_name,program_duration';
    const report = await imported(
      `${head}\n99,Arts,3 Years\n2147483648,Music,1 Year\n${10 ** 20},Law,4 Years\n`,
      update,
    );
    expect(report).toMatchObject({ programs: { created: 1, unchanged: 2 }, missingCount: 0 });
  });

  it('says which deleted record its row names when it creates that anew', async () => {
    const head = 'program_id,program_name,program_duration,branch_id,branch_name,branch_years';
    const row = '1,Arts,3 Years,1,Music,3';
    const deleted = (column: string, name: string) => [
      {
        ...{ line: 2, column, rule: 'OF_DELETED', value: '1' },
        details: { kind: column.replace('_id', ''), id: 1, name: `"${name}"` },
      },
    ];
    const given = (row: string, query: object = { dryRun: 'true' }) =>
      imported(`${head}\n${row}\n2,Law,4 Years,,,\n`, { ...update, ...query });
    await server.graphql('mutation { deleteBranch(id: 1) { id } }');
    expect(await given(row)).toMatchObject({ branches: { created: 1 }, nearlyEqual: deleted('branch_id', 'Music') });
    await server.graphql('mutation { deleteProgram(id: 1) { id } }');
    expect(await given(row)).toMatchObject({ programs: { created: 1 }, nearlyEqual: deleted('program_id', 'Arts') });
    // An id of another record, perhaps of another catalog, unless it is said to be of this one.
    const other = '1,Fine Arts,3 Years,,,';
    expect(await given(other)).toMatchObject({ programs: { created: 1 }, nearlyEqual: [] });
    expect(await given(other, { dryRun: 'true', ownIds: 'true' })).toMatchObject({
      nearlyEqual: deleted('program_id', 'Arts'),
    });
    // One that was made again since.
    await imported('program_name,program_duration\nArts,3 Years\n');
    expect(await given(row, {})).toMatchObject({ outcome: 'imported', programs: { created: 0 }, nearlyEqual: [] });
  });

  const python = '/usr/bin/python3';
  const hasOpenpyxl = existsSync('/usr/lib/python3/dist-packages/openpyxl');
  it.runIf(hasOpenpyxl)('from a spreadsheet has exactly the changes that were made there', async () => {
    const path = join(folder, 'catalog.xlsx');
    await writeFile(path, await exported('xlsx'));
    const script = `
import openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1])
sheet = book.active
rows = [list(row) for row in sheet.iter_rows(values_only=True)]
head = rows[0]
place = head.index
for row in rows[1:]:
    if row[place('branch_name')] == 'Civil': row[place('branch_name')] = 'Civil law'
    if row[place('branch_name')] == 'Theatre': row[place('branch_years')] = 4
    if row[place('program_name')] == 'Crafts': row[place('program_duration')] = '2 Years'
body = sorted(rows[1:], key=lambda row: str(row[place('branch_name')]))
order = list(reversed(range(len(head))))
sheet.delete_rows(1, sheet.max_row)
for row in [head] + body: sheet.append([row[at] for at in order])
book.save(sys.argv[1])`;
    execFileSync(python, ['-c', script, path]);
    const content = new Uint8Array(await readFile(path));
    const { body } = await importFile(server, content, { type: xlsxType, query: update });
    expect(body).toMatchObject({ createdCount: 0, missingCount: 0, conflictCount: 0, changeCount: 3 });
    expect(await catalog()).toEqual([
      '1 Arts 3 Years: 1 Music 3, 2 Dance 3, 3 Theatre 4',
      '2 Law 4 Years: 4 Civil law 4, 5 Roman 4',
      '3 Crafts 2 Years: ',
    ]);
  });
});

describe('new records in the place of missing ones', () => {
  beforeEach(async () => void (await imported(sample)));
  const renamed = sample.replaceAll('Arts', 'Fine Arts').replace('Roman', 'Roman law').replace('Civil', 'Civil law');

  it('are listed, and are taken for renamed on request', async () => {
    const report = await imported(renamed, { ...update, dryRun: 'true' });
    expect(report).toMatchObject({
      programs: { created: 1 },
      perhapsRenamed: [
        { line: 2, kind: 'program', recordId: 1, name: 'Fine Arts', oldName: 'Arts', programName: null },
        { line: 5, kind: 'branch', recordId: 4, name: 'Civil law', oldName: 'Civil', programName: 'Law' },
        { line: 6, kind: 'branch', recordId: 5, name: 'Roman law', oldName: 'Roman' },
      ],
      perhapsRenamedCount: 3,
    });
    const path = join(folder, 'renamed.csv');
    await writeFile(path, renamed);
    const { err } = await runCommand(server.database.url, ['import', path, '--dry-run', '--update']);
    expect(err).toContain('line 5: branch "Civil law" stands in the place of 4, "Civil".');

    await runCommand(server.database.url, ['import', path, '--update', '--renamed']);
    expect(await catalog()).toEqual([
      '1 Fine Arts 3 Years: 1 Music 3, 2 Dance 3, 3 Theatre 2',
      '2 Law 4 Years: 4 Civil law 4, 5 Roman law 4',
      '3 Crafts 1 Year: ',
    ]);
    expect(await imported(renamed, { ...update, renamed: 'true' })).toMatchObject({
      programs: { created: 0, changed: 0 },
      perhapsRenamedCount: 0,
    });
  });

  it('are none where the numbers differ, or codes are others', async () => {
    const two = csv(',Law,4 Years,Civil,,4,C,', ',Law,4 Years,New,,1,N,', ',Law,4 Years,Other,,2,O,');
    expect(await imported(two, { dryRun: 'true' })).toMatchObject({ perhapsRenamedCount: 0, missingCount: 1 });
    await server.database.query(`UPDATE branches SET code = 'R' WHERE name = 'Roman'`);
    const coded =
      'program_name,program_duration,branch_name,branch_years,branch_code\nLaw,4 Years,Civil,4,\nLaw,4 Years,New,4,N\n';
    expect(await imported(coded, { dryRun: 'true' })).toMatchObject({ perhapsRenamedCount: 0, missingCount: 1 });
  });

  it('may be those that are numbered anew', async () => {
    const file = (program: string, branch: string) =>
      `program_code,program_name,program_duration,branch_code,branch_name,branch_years\n${program},Chemistry,3 Years,${branch},First,3\n`;
    await imported(file('OLD1', 'OB1'));
    expect(await imported(file('NEW1', 'NB1'), { ...update, dryRun: 'true' })).toMatchObject({
      perhapsRenamed: [{ kind: 'program', code: 'NEW1', oldCode: 'OLD1' }],
    });
    await imported(file('NEW1', 'NB1'), { ...update, renamed: 'true' });
    expect((await catalog()).at(-1)).toBe('4 NEW1 Chemistry 3 Years: 6 NB1 First 3');
  });
});

describe('a new record with the former code or name of one that is named by its id', () => {
  const head = 'program_id,program_code,program_name,program_duration,branch_id,branch_code,branch_name,branch_years';

  it.each([
    ['of programs', '1,X2,First,3,,,,\n,X1,Second,3,,,,\n', ['1 X1 First 3: 1 B1 Optics 3', '2 X1 Second 3: ']],
    [
      'of programs by name',
      '2,,Newer,3,,,,\n,,Plain,3,,,,\n',
      ['1 X1 First 3: 1 B1 Optics 3', '2 Plain 3: ', '3 Plain 3: '],
    ],
    [
      'of branches',
      '1,X1,First,3,1,B2,Optics,3\n1,X1,First,3,,B1,Waves,3\n',
      ['1 X1 First 3: 1 B1 Optics 3, 2 B1 Waves 3'],
    ],
  ])('is created once, however often the file is imported: %s', async (_, rows, expected) => {
    await imported(`${head}\n,X1,First,3,,B1,Optics,3\n${rows.includes('Plain') ? ',,Plain,3,,,,\n' : ''}`);
    for (const createdCount of [1, 0, 0]) {
      expect(await imported(`${head}\n${rows}`, { ownIds: 'true' })).toMatchObject({
        outcome: 'imported',
        createdCount,
      });
    }
    expect(await catalog()).toEqual(expected);
  });
});

describe('new codes', () => {
  const head =
    'program_code,program_new_code,program_name,program_duration,branch_code,branch_new_code,branch_name,branch_years';

  it('keep the records that they number anew, also when the file is imported again', async () => {
    await imported(`${head}\nP1,,Physics,3 Years,B1,,Optics,3\nP1,,Physics,3 Years,B2,,Waves,3\n`);
    const file = `${head}\nP1,Q1,Physics,3 Years,B1,C1,Optics,3\nP1,Q1,Physics,3 Years,B2,,Waves,3\n`;
    expect(await imported(file, update)).toMatchObject({
      changes: [
        { column: 'branch_code', from: 'B1', to: 'C1' },
        { column: 'program_code', from: 'P1', to: 'Q1' },
      ],
      conflictCount: 0,
      createdCount: 0,
    });
    expect(await catalog()).toEqual(['1 Q1 Physics 3 Years: 1 C1 Optics 3, 2 B2 Waves 3']);
    expect(await imported(file, update)).toMatchObject({ changeCount: 0, createdCount: 0, missingCount: 0 });
  });

  it('are exchanged between rows with ids, also when the file is imported again', async () => {
    await imported(`${head}\nA,,One,1,B1,,Optics,3\nB,,Two,2,,,,\nA,,One,1,B2,,Waves,3\n`);
    const file = `program_id,branch_id,${head}\n1,1,A,B,One,1,B1,B2,Optics,3\n2,,B,A,Two,2,,,,\n1,2,A,B,One,1,B2,B1,Waves,3\n`;
    for (const changeCount of [4, 0]) {
      expect(await imported(file, update)).toMatchObject({ outcome: 'imported', changeCount });
      expect(await catalog()).toEqual(['1 B One 1: 1 B2 Optics 3, 2 B1 Waves 3', '2 A Two 2: ']);
    }
  });

  it.each([
    [
      'exchanged',
      ['A,B,One,1', 'B,A,Two,2'],
      [
        [2, 'program_code', 3],
        [3, 'program_code', 2],
      ],
    ],
    [
      'moved on',
      ['A,B,One,1', 'B,C,Two,2'],
      [
        [2, 'program_new_code', 3],
        [3, 'program_code', 2],
      ],
    ],
    [
      'given to two',
      ['A,C,One,1', 'B,C,Two,2'],
      [
        [2, 'program_new_code', 3],
        [3, 'program_new_code', 2],
      ],
    ],
    [
      'given beside a record that keeps it',
      ['A,B,One,1', 'B,,Two,2'],
      [
        [2, 'program_new_code', 3],
        [3, 'program_code', 2],
      ],
    ],
    [
      'given beside a new record with it',
      ['A,C,One,1', 'C,,One,1'],
      [
        [2, 'program_new_code', 3],
        [3, 'program_code', 2],
      ],
    ],
  ])('are errors where they are %s, and a second import would exchange or double records', async (_, rows, found) => {
    await imported(`${head}\nA,,One,1,,,,\nB,,Two,2,,,,\n`);
    await imported(`${head}\nP,,Of branches,1,A,,One,1\nP,,Of branches,1,B,,Two,2\n`);
    const problems = (kind: string) =>
      found.map(([line, column, other]) => ({
        line,
        column: String(column).replace('program', kind),
        rule: 'NEW_CODE_ELSEWHERE',
        details: { line: other },
      }));
    const ofPrograms = `${head}\n${rows.map((row) => `${row},,,,\n`).join('')}`;
    expect(await imported(ofPrograms, update)).toMatchObject({ outcome: 'rejected', problems: problems('program') });
    const ofBranches = `${head}\n${rows.map((row) => `P,,Of branches,1,${row}\n`).join('')}`;
    expect(await imported(ofBranches, update)).toMatchObject({ outcome: 'rejected', problems: problems('branch') });
  });

  it('that another record has, too, are of the one with the name', async () => {
    await imported(`${head}\nC,,Other,1,C,,Other,1\nA,,One,1,,,,\nC,,Other,1,A,,One,1\n`);
    const file = `${head}\nA,C,One,1,,,,\n`;
    await imported(`${head}\nC,,Other,1,A,C,One,1\n`, update);
    for (const changeCount of [1, 0]) expect(await imported(file, update)).toMatchObject({ changeCount });
    expect(await catalog()).toEqual(['1 C Other 1: 1 C Other 1, 2 C One 1', '2 C One 1: ']);
  });
});

describe('a value that is kept', () => {
  const head =
    'program_name,program_duration,program_attr:level,program_attr:site,branch_name,branch_years,branch_description';

  it('of an existing record is not overwritten, and is there in new ones', async () => {
    await imported(`${head}\nArts,3 Years,UG,A,Music,3,old\n`);
    const keep = 'branch_description,branch_years,program_attr:level';
    const file = `${head}\nArts,3 Years,PG,B,Music,4,new\nArts,3 Years,PG,B,Dance,2,fresh\n`;
    const report = await imported(file, { ...update, keep });
    expect(report).toMatchObject({
      changes: [{ column: 'program_attr:site', from: 'A', to: 'B' }],
      conflicts: [
        { column: 'branch_description', value: 'new', kept: 'old' },
        { column: 'branch_years', value: '4', kept: '3' },
        { column: 'program_attr:level', value: 'PG', kept: 'UG' },
        { column: 'program_attr:level', value: 'PG', kept: 'UG' },
      ],
    });
    expect(await catalog()).toEqual(['1 Arts 3 Years: 1 Music 3, 2 Dance 2']);
    expect(await server.database.query('SELECT description FROM branches ORDER BY id')).toEqual([
      { description: 'old' },
      { description: 'fresh' },
    ]);
    const path = join(folder, 'kept.csv');
    await writeFile(path, file);
    const words = ['import', path, '--update', '--json', '--keep', 'program_attributes', '--keep', 'branch_years'];
    const { out } = await runCommand(server.database.url, words);
    expect(JSON.parse(out).changes).toMatchObject([{ column: 'branch_description', to: 'new' }]);
    expect(await server.database.query('SELECT attributes FROM programs')).toEqual([
      { attributes: { level: 'UG', site: 'B' } },
    ]);
  });

  it('has a name that is known', async () => {
    const { body } = await importFile(server, sample, { query: { keep: 'branch_description,program_id' } });
    expect(body.errors.keep).toEqual([expect.stringContaining('keep must be columns of values')]);
    const { exitCode } = await runCommand(server.database.url, ['import', 'x.csv', '--keep', 'nothing']);
    expect(exitCode).toBe(2);
  });
});

describe('a row that would lose a record', () => {
  const head = 'program_code,program_name,program_duration,branch_code,branch_name,branch_years';

  it('is a problem: a code that a spreadsheet has shortened', async () => {
    const report = await imported(`${head}\n1.00E+14,Nursing,3 Years,"2,1E+10",Adult,3\n1E5,Law,3 Years,,,\n`);
    expect(report.problems).toMatchObject([
      { line: 2, column: 'program_code', value: '1.00E+14', message: expect.stringContaining('shortened') },
      { line: 2, column: 'branch_code', value: '2,1E+10' },
    ]);
  });

  it('is a problem: a code that stands for no value, in any format', async () => {
    const words = [
      ...['NULL', 'null', '\\N', 'N/A', '#N/A', 'None', 'NaN', '-', '–', '(null)', '#REF!', '\u200bNULL '],
      ...['#NV', '#VALEUR !', 'Ｎ／Ａ', 'n.a.', "'NULL'", '1.#IND', '⁻', '<NA>', '(blank)'],
    ];
    const rows = words.flatMap((word) => [`${word},Nursing,3 Years,${word},Adult,3\n`, `${word},Law,3 Years,,,\n`]);
    const { outcome, skipped, problems } = await imported(`${head}\n${rows.join('')}`);
    expect({ outcome, skipped }).toEqual({ outcome: 'rejected', skipped: rows.length });
    expect(problems).toMatchObject(
      words.flatMap((value, place) => [
        { line: 2 * place + 2, column: 'program_code', value, rule: 'NOT_A_CODE', details: { field: 'program_code' } },
        { line: 2 * place + 2, column: 'branch_code', value },
        { line: 2 * place + 3, column: 'program_code', value },
      ]),
    );
    const json = words.map((word) => ({ program_code: word, program_name: 'X', program_duration: '1' }));
    const { body } = await importFile(server, JSON.stringify(json), { type: 'application/json' });
    expect(body).toMatchObject({ skipped: words.length, problemCount: words.length });
  });

  it('is no problem: a code that only looks like such a word', async () => {
    const file = `${head}\nNA,Nautics,3 Years,NONE1,Deck,3\n--x,Law,3 Years,NULLS,Civil,3\n#1!,Art,1 Year,BLANK,Oils,1\n`;
    expect(await imported(file)).toMatchObject({ outcome: 'imported', programs: { created: 3 } });
  });

  it('is a problem: the code of another row with another name, which others keep', async () => {
    const file = `${head},note\nX,Nursing,3 Years,1,Adult,3,a\nX,Pharmacy,3 Years,1,Clinical,3,b\nX,Nursing,3 Years,1,Child,3,c\nX,Nursing,4 Years,2,Old,2,d\n`;
    const report = await imported(file);
    expect(report).toMatchObject({
      outcome: 'rejected',
      skipped: 2,
      problems: [
        { line: 3, column: 'program_code', value: 'X', message: expect.stringContaining('is that of line 2 too') },
        { line: 3, column: 'branch_code', value: '1' },
        { line: 4, column: 'branch_code', value: '1', message: expect.stringContaining('has another name') },
      ],
    });
    expect(report.rejectedCsv.trim().split('\n')).toHaveLength(3);
    expect(report.rejectedCsv).toMatch(/,X,Pharmacy,3 Years,1,Clinical,3,b\n/);

    expect(await imported(file, { skipInvalid: 'true' })).toMatchObject({ outcome: 'imported', rows: 4, skipped: 2 });
    expect(await catalog()).toEqual(['1 X Nursing 3 Years: 1 1 Adult 3, 2 2 Old 2']);
  });

  it('is a problem: a number among equal records that is not the next, as a second import would create it again', async () => {
    const columns = 'program_name,program_duration,program_occurrence,branch_name,branch_years,branch_occurrence';
    const gaps = `${columns}\nArts,1,2,,,\nLaw,1,1,Civil,3,1\nLaw,1,1,Civil,3,3\nLaw,1,3,,,\n`;
    const problem = (line: number, kind: string, value: string) => ({
      line,
      column: `${kind}_occurrence`,
      value,
      rule: 'NO_OCCURRENCE_BEFORE',
    });
    expect(await imported(gaps)).toMatchObject({
      outcome: 'rejected',
      problems: [problem(2, 'program', '2'), problem(4, 'branch', '3'), problem(5, 'program', '3')],
    });
    const whole = `${columns}\nArts,1,1,,,\nArts,1,2,,,\nLaw,1,1,Civil,3,1\nLaw,1,1,Civil,3,2\nLaw,1,2,,,\n`;
    expect(await imported(whole)).toMatchObject({ outcome: 'imported', createdCount: 6 });
    const next = `${columns}\nArts,1,3,,,\nLaw,1,1,Civil,3,3\n`;
    for (const createdCount of [2, 0])
      expect(await imported(next)).toMatchObject({ outcome: 'imported', createdCount });
    expect(await imported(gaps)).toMatchObject({ outcome: 'imported', createdCount: 1 });
    const coded = `${columns},branch_code\nLaw,1,1,Penal,3,2,B\n`;
    await imported(`${columns}\nLaw,1,1,Penal,3,1\n`);
    const numbers = { line: 2, column: 'branch_code', value: 'B', rule: 'NUMBERS_CHANGE' };
    expect(await imported(coded, update)).toMatchObject({ outcome: 'rejected', problems: [numbers] });
  });

  it('is a problem: what changes which of equal records has which number, as a second import would exchange or double them', async () => {
    const columns =
      'program_id,program_code,program_new_code,program_occurrence,program_name,program_duration,branch_code,branch_new_code,branch_occurrence,branch_name,branch_years';
    const problem = (line: number, column: string) => ({ line, column, rule: 'NUMBERS_CHANGE' });
    await imported(`${columns}\n,A,,1,Arts,1,X,,1,One,1\n,A,,1,Arts,1,X,,2,One,1\n,A,,2,Arts,1,,,,,\n`);
    const newCodes = `${columns}\n,A,B,1,Arts,1,,,,,\n,A,,2,Arts,1,X,Y,1,One,1\n`;
    expect(await imported(newCodes, update)).toMatchObject({
      outcome: 'rejected',
      problems: [problem(2, 'program_code')],
    });
    const ofBranch = `${columns}\n,A,,1,Arts,1,X,Y,1,One,1\n`;
    expect(await imported(ofBranch, update)).toMatchObject({
      outcome: 'rejected',
      problems: [problem(2, 'branch_code')],
    });
    const named = `${columns}\n1,A,,2,Arts,1,,,,,\n,A,,1,Arts,1,,,,,\n`;
    expect(await imported(named, update)).toMatchObject({
      outcome: 'rejected',
      problems: [problem(3, 'program_occurrence')],
    });
    const emptied = `${columns}\n,A,,1,Arts,1,,,1,One,1\n,A,,1,Arts,1,X,,2,One,1\n`;
    expect(await imported(emptied, update)).toMatchObject({
      outcome: 'rejected',
      problems: [problem(2, 'branch_name')],
    });
    const given = `${columns}\n,A,,1,Arts,1,X,,3,Two,1\n`;
    await imported(`${columns}\n,A,,1,Arts,1,,,1,Two,1\n`);
    expect(await imported(given, update)).toMatchObject({ outcome: 'rejected', problems: [problem(2, 'branch_code')] });
    const byIds = `${columns}\n1,A,B,,Arts,1,,,,,\n2,A,,,Arts,1,,,,,\n`;
    for (const changeCount of [1, 0]) expect(await imported(byIds, update)).toMatchObject({ changeCount });
  });

  it('is a problem: an id of this catalog that no record has had, as a new one may get it', async () => {
    await imported(`${head}\nA,Arts,3 Years,,,\n`);
    const file = 'program_id,program_code,program_name,program_duration\n3,B,Law,3 Years\n,C,Music,3 Years\n';
    const problems = [{ line: 2, column: 'program_id', value: '3', rule: 'OF_NO_RECORD' }];
    expect(await imported(file, { ownIds: 'true' })).toMatchObject({ outcome: 'rejected', problems });
  });

  it('is a new record, even with `renamed`, if a number tells it from equal ones, so that a second import finds it', async () => {
    const columns = 'program_name,program_duration,program_occurrence,program_attr:site';
    await imported(`${columns}\nLaw,4,1,\nLaw,3,1,\n`);
    const file = `${columns}\nLaw,3,1,A\nLaw,3,2,B\n`;
    const renamed = { ...update, renamed: 'true' };
    expect(await imported(file, renamed)).toMatchObject({ createdCount: 1, changeCount: 1 });
    expect(await imported(file, renamed)).toMatchObject({ createdCount: 0, changeCount: 0 });
  });

  it('is reported beside problems of other kinds, of all rows at once', async () => {
    const file = `${head}\nN/A,Nursing,3 Years,,,\nX,Law,3 Years,,,\nX,Music,3 Years,,,\n,Art,,,,\n`;
    const report = await imported(file);
    expect(report).toMatchObject({ outcome: 'rejected', rows: 4, skipped: 3, problemCount: 3 });
    expect(report.problems.map(({ line, rule }: { line: number; rule: string }) => [line, rule])).toEqual([
      [2, 'NOT_A_CODE'],
      [4, 'NAMED_TWICE'],
      [5, 'BLANK'],
    ]);
    expect(await imported(file, { skipInvalid: 'true' })).toMatchObject({ outcome: 'imported', skipped: 3 });
  });

  it('is found in five rounds at most: where each row left out makes the next one wrong, nothing is imported', async () => {
    const ids = [1, 2, 3, 4, 5, 6, 7, 8];
    const names = (name: string) => ids.map((id) => `{ name: "${name} ${id}", duration: "1", code: "X" }`);
    await server.graphql(`mutation { createPrograms(items: [${names('Old')}]) { id } }`);
    const rows = (count: number) => ids.slice(0, count).map((id) => `${id},X,New ${id},1\n`);
    const file = (count: number) =>
      `program_id,program_code,program_name,program_duration\n,X,First,1\n${rows(count).join('')}`;
    const query = { ...update, ownIds: 'true', skipInvalid: 'true', dryRun: 'true' };
    expect(await imported(file(8), query)).toMatchObject({ outcome: 'rejected', skipped: 5, problemCount: 5 });
    expect(await imported(file(4), query)).toMatchObject({ outcome: 'checked', skipped: 4, problemCount: 4 });
  });

  it('is no problem: a doubtful code that the record of its id has, nor a number in JSON', async () => {
    await server.graphql(`mutation {
      createProgram(input: { name: "Nursing", duration: "3 Years", code: "1E+05" }) { id }
      branch: createBranch(input: { programId: 1, name: "Adult", years: 3, code: "N/A" }) { id }
    }`);
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['xlsx', xlsxType],
      ['json', 'application/json'],
    ] as const) {
      const { body } = await importFile(server, new Uint8Array(await exported(format)), { type, query: update });
      expect(body).toMatchObject({ outcome: 'imported', problemCount: 0, branches: { unchanged: 1 }, changeCount: 0 });
    }
    const withId = `program_id,branch_id,${head}`;
    expect(
      await imported(`${withId}\n1,1,1E+05,Nursing,3 Years,None,Adult,3\n1,,1E+05,Nursing,3 Years,N/A,Adult,3\n`),
    ).toMatchObject({
      problems: [
        { line: 2, column: 'branch_code', value: 'None' },
        { line: 3, column: 'branch_code', value: 'N/A' },
      ],
    });
    const row = { program_code: '2E+05', program_name: 'Law', program_duration: '4 Years' };
    const { body } = await importFile(server, JSON.stringify([row]), { type: 'application/json' });
    expect(body).toMatchObject({ outcome: 'imported', programs: { created: 1 } });
  });
});

describe('a record that would have too many attributes', () => {
  it('is in the file of rejected rows, and keeps those that it has in all its rows', async () => {
    const attributes = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`program_attr:${prefix}${n}`, 'x']));
    const file = (prefix: string) => {
      const columns = attributes(prefix);
      const head = ['program_name', 'program_duration', 'branch_name', 'branch_years', ...Object.keys(columns)];
      const row = (branch: string) => ['Arts', '3 Years', branch, '1', ...Object.values(columns)].join(',');
      return [head.join(','), row('Music'), row('Dance'), ''].join('\n');
    };
    await imported(file('a'));
    const rejected = await imported(file('b'), update);
    expect(rejected).toMatchObject({ outcome: 'rejected', skipped: 1, problemCount: 1 });
    expect(rejected.rejectedCsv.split('\n')[1]).toMatch(
      /^2,The program 1 would have more than 50 attributes.*,Arts,3 Years,Music,1,x/,
    );
    expect(await imported(file('b'), { ...update, skipInvalid: 'true' })).toMatchObject({
      outcome: 'imported',
      problemCount: 1,
      conflictCount: 0,
      changeCount: 0,
    });
  });
});

interface Listed {
  readonly line: number;
  readonly column: string;
  readonly rule: string;
  readonly value: string;
  readonly details: { readonly other: string; readonly id?: number; readonly line?: number };
}

describe('codes and names that are nearly those of others', () => {
  const nearly = ({ nearlyEqual, nearlyEqualCount }: Awaited<ReturnType<typeof imported>>) => {
    expect(nearlyEqual).toHaveLength(nearlyEqualCount);
    return nearlyEqual.map(({ line, column, rule, value, details }: Listed) =>
      [line, column, rule, value, details.other, details.id ?? details.line].join(' '),
    );
  };

  it('are listed, of programs and of branches within their program, and created all the same', async () => {
    await imported(
      'program_code,program_name,program_duration,branch_code,branch_name,branch_years\n' +
        '101,Physics,3 Years,11,Optics,3\n102,Chemistry,3 Years,21,Catalysis,3\nL-1,L’école,1 Year,,,\n',
    );
    const report = await imported(
      'program_code,program_name,program_duration,branch_code,branch_name,branch_years\n' +
        "101.0,Physics II,3 Years,,,\n1020,Ecology,3 Years,,,\nｌ–1,L'Ecole,1 Year,,,\n" +
        '102,Chemistry,3 Years,21.0,catalysis,3\n102,Chemistry,3 Years,11,Optics,3\n',
    );
    expect(nearly(report)).toEqual([
      '2 program_code NEARLY_EQUAL 101.0 "101" 1',
      '4 program_code NEARLY_EQUAL ｌ–1 "L-1" 3',
      '4 program_name NEARLY_EQUAL L\'Ecole "L’école" 3',
      '5 branch_code NEARLY_EQUAL 21.0 "21" 2',
      '5 branch_name NEARLY_EQUAL catalysis "Catalysis" 2',
    ]);
    expect(report).toMatchObject({ programs: { created: 3 }, branches: { created: 2 } });
  });

  it('are not those of deleted records', async () => {
    await imported(csv('CS-1,Arts,1 Year,Music,,1,,'));
    await server.database.query('UPDATE branches SET deleted_at = now(); UPDATE programs SET deleted_at = now()');
    expect(nearly(await imported(csv('cs-1,ARTS,1 Year,MUSIC,,1,,'), { dryRun: 'true' }))).toEqual([]);
  });

  it('are listed within a file, too, and equal ones are not', async () => {
    const report = await imported(
      csv(
        'CS-1,Arts,1 Year,,,,,',
        'cs-1,Law,1 Year,,,,,',
        'CS-2,Arts,2 Years,Music,,1,,',
        'CS-2,Arts,2 Years,MUSIC,,1,,',
      ),
      { dryRun: 'true' },
    );
    expect(nearly(report)).toEqual([
      '3 program_code NEARLY_EQUAL_IN_FILE cs-1 "CS-1" 2',
      '5 branch_name NEARLY_EQUAL_IN_FILE MUSIC "Music" 4',
    ]);
  });
});
