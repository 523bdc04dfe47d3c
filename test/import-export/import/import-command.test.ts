import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Run, runCommand } from '../../cli/run-command.ts';
import { useEmptiedDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/files.ts';
import { programSnapshot } from '../../support/snapshots.ts';
import { csv, header, nothingFound } from './import-file.ts';

const sample = new URL('./sample.csv', import.meta.url).pathname;

const folder = makeFolder();
const database = useEmptiedDatabase();

const run = (...words: string[]): Promise<Run> => runCommand(database.url, words);

/** Imports a text as a file of the given name; returns the summary. */
async function imported(text: string, name = 'file.csv', ...options: string[]): Promise<Record<string, unknown>> {
  const file = join(folder, name);
  await writeFile(file, text);
  const { out, err } = await run('import', file, '--json', ...options);
  expect(err).toBe('');
  return JSON.parse(out);
}

const catalog = () =>
  database.query(`
    SELECT p.code, p.name AS program, p.duration, b.name AS branch, b.description, b.code_prefix, b.code_is_numeric,
      (SELECT string_agg(y.code, ' ' ORDER BY y.year) FROM branch_years y WHERE y.branch_id = b.id) AS years
    FROM programs p LEFT JOIN branches b ON b.program_id = p.id AND b.deleted_at IS NULL
    WHERE p.deleted_at IS NULL ORDER BY p.id, b.id`);
const physics = { code: 'BSC', program: 'Science', duration: '3 years' };

describe('import', () => {
  it('creates the programs, branches and years of a file, and prints a summary', async () => {
    expect(await run('import', sample)).toEqual({
      exitCode: 0,
      out:
        `Imported 14 of 14 rows of ${sample}.\n` +
        '  programs  6 created, 0 already existing\n' +
        '  branches  13 created, 0 already existing\n' +
        '  years     39 created\n',
      err: 'All rows read; matching them with existing records.\nCreating records.\n',
    });
  });

  it('finds all records the second time', async () => {
    await run('import', sample);
    const before = await catalog();

    expect(JSON.parse((await run('import', sample, '--json')).out)).toEqual({
      ...nothingFound,
      file: sample,
      outcome: 'imported',
      changeId: expect.any(String),
      dryRun: false,
      update: false,
      rows: 14,
      programs: { created: 0, changed: 0, unchanged: 6 },
      branches: { created: 0, changed: 0, unchanged: 13 },
      years: { created: 0, changed: 0, removed: 0 },
      sample: expect.objectContaining({ length: 14 }),
    });
    expect(await catalog()).toEqual(before);
  });

  it('with --dry-run prints what it would do, and changes nothing', async () => {
    expect(await run('import', sample, '--dry-run')).toMatchObject({
      exitCode: 0,
      out:
        `Dry run, nothing changed: 14 of 14 rows of ${sample}.\n` +
        '  programs  6 to create, 0 already existing\n' +
        '  branches  13 to create, 0 already existing\n' +
        '  years     39 to create\n',
    });
    expect(await catalog()).toEqual([]);
    expect(await database.query('SELECT 1 FROM audit_entries')).toEqual([]);
    // Not even the sequences.
    await run('import', sample);
    expect((await database.query('SELECT min(id) AS id FROM programs'))[0]).toEqual({ id: 1 });
  });

  it('writes an audit entry for each record, as for a single create, and one for the import', async () => {
    await run('import', sample);
    const entries = await database.query(
      'SELECT actor, action, subject, subject_id, before, after FROM audit_entries ORDER BY id',
    );

    const of = (action: string, subject: string) =>
      entries.filter((entry) => entry['action'] === action && entry['subject'] === subject);
    expect(of('create', 'Program').map((entry) => entry['subject_id'])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(of('create', 'Branch')).toHaveLength(13);
    expect(of('create', 'Program')[4]).toEqual({
      actor: 'cli',
      action: 'create',
      subject: 'Program',
      subject_id: 5,
      before: null,
      after: programSnapshot({ name: 'Diploma in Library Science', duration: '1 year' }),
    });
    expect(of('create', 'Branch')[7]).toMatchObject({
      subject_id: 8,
      after: { programId: 3, name: 'History', description: '', codePrefix: 'H', codeIsNumeric: false, years: 3 },
    });
    expect(entries.slice(19)).toEqual([
      {
        actor: 'cli',
        action: 'import',
        subject: 'Catalog',
        subject_id: null,
        before: null,
        after: {
          file: 'sample.csv',
          rows: 14,
          skipped: 0,
          programs: { created: 6, changed: 0, unchanged: 0 },
          branches: { created: 13, changed: 0, unchanged: 0 },
          years: { created: 39, changed: 0, removed: 0 },
          repeated: 0,
        },
      },
    ]);
  });

  it('updates the planner statistics', async () => {
    await run('import', sample);

    expect(
      await database.query(
        `SELECT relname, reltuples FROM pg_class WHERE relname IN ('programs', 'branches', 'branch_years') ORDER BY 2`,
      ),
    ).toEqual([
      { relname: 'programs', reltuples: 6 },
      { relname: 'branches', reltuples: 13 },
      { relname: 'branch_years', reltuples: 39 },
    ]);
  });

  it('creates nothing twice when two imports of the same file run concurrently', async () => {
    const runs = await Promise.all([run('import', sample), run('import', sample), run('import', sample)]);

    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(await catalog()).toHaveLength(14);
  });

  it('reads CSV from standard input', async () => {
    const input = await readFile(sample);
    const { out } = await runCommand(database.url, ['import', '-', '--json'], { input });

    expect(JSON.parse(out)).toMatchObject({ file: '-', rows: 14, programs: { created: 6 } });
  });
});

describe('a CSV file of another dialect', () => {
  it('is read with the given delimiter, regardless of its first line', async () => {
    const text = 'program_name;program_duration;"a,b,c,d,e,f";branch_name;branch_years\nArts, fine;1;;;\n';

    expect(await imported(text, 'file.csv', '--delimiter', 'semicolon')).toMatchObject({ programs: { created: 1 } });
    expect(await run('import', join(folder, 'file.csv'), '--delimiter', 'tab')).toMatchObject({ exitCode: 3 });
  });
});

describe('a JSON file', () => {
  const row = {
    program_code: 'BSC',
    program_name: 'Science',
    program_duration: '3 years',
    branch_name: 'Optics',
    branch_description: 'a\tb\n"c" \u{1F52D}',
    branch_years: 2,
    branch_code_prefix: 'O',
    branch_code_is_numeric: false,
  };
  const optics = {
    ...physics,
    branch: 'Optics',
    description: row.branch_description,
    code_prefix: 'O',
    code_is_numeric: false,
  };

  it('may have values as text, missing keys, and unknown keys', async () => {
    const { branch_code_prefix, ...others } = row;
    await imported(
      JSON.stringify(
        [{ ...others, branch_years: '2', branch_code_is_numeric: 'FALSE', campus: { name: 'North' } }],
        null,
        2,
      ),
      'FILE.JSON',
    );

    expect(await catalog()).toEqual([{ ...optics, code_prefix: '', years: 'A B' }]);
  });

  it('has a program without branches in a row whose branch has no name', async () => {
    const { program_code, program_name, program_duration } = row;
    const rows = [{}, { branch_name: null }, { branch_name: '' }, { branch_name: ' ' }];
    const program = { program_code, program_name, program_duration };
    await imported(JSON.stringify(rows.map((fields) => ({ ...program, ...fields }))), 'file.json');

    expect(await catalog()).toMatchObject([{ ...physics, branch: null }]);
  });
});

describe('an existing program is matched', () => {
  it('by its code; differences are listed and change nothing', async () => {
    await imported(csv('BSC,Science,3 years,,,,,'));
    const summary = await imported(csv('BSC,Natural Science,4 years,Optics,,2,,', 'BSC,Science,4 years,Waves,,2,,'));

    expect(summary).toMatchObject({
      programs: { created: 0, unchanged: 1 },
      branches: { created: 2 },
      conflictCount: 3,
      conflicts: [
        { line: 2, column: 'program_duration' },
        {
          line: 2,
          column: 'program_name',
          message: 'program_name is "Natural Science" here but "Science" in the database, which is kept.',
        },
        {
          line: 3,
          column: 'program_duration',
          message: 'program_duration is "4 years" here but "3 years" in the database, which is kept.',
        },
      ],
    });
    expect(await catalog()).toMatchObject([
      { ...physics, branch: 'Optics' },
      { ...physics, branch: 'Waves' },
    ]);
  });

  it('by name and duration when it has no code', async () => {
    await imported(csv('BSC,Science,3 years,,,,,', ',Science,3 years,,,,,', ',Science,4 years,,,,,'));

    expect(await imported(csv(',Science,3 years,Optics,,2,,', ',Science,4 years,,,,,'))).toMatchObject({
      programs: { created: 0, unchanged: 2 },
    });
    expect(await catalog()).toMatchObject([
      { code: 'BSC', branch: null },
      { code: null, branch: 'Optics' },
      { code: null },
    ]);
  });

  it('as the oldest of several equal ones, unless the row has the number of another', async () => {
    await database.query(`INSERT INTO programs (name, duration, code) VALUES ('A', '1', 'X'), ('B', '1', 'X')`);
    await imported(csv('X,A,1,Optics,,2,,'));
    await imported(
      `${header},program_occurrence,branch_occurrence\nX,A,1,,,,,,1,\nX,B,1,Waves,,2,,,2,\nX,C,1,,,,,,3,\nX,B,1,Waves,,2,,,2,2\n`,
    );

    expect(await catalog()).toMatchObject([
      { program: 'A', branch: 'Optics' },
      { program: 'B', branch: 'Waves' },
      { program: 'B', branch: 'Waves' },
      { program: 'C', branch: null },
    ]);
  });

  it('by the number of its occurrence though the rows of those before it are missing or invalid', async () => {
    await database.query(`INSERT INTO programs (name, duration, code) VALUES ('A', '1', 'X'), ('B', '1', 'X')`);
    await database.query(`INSERT INTO branches (program_id, name, description)
      SELECT id, 'Waves', number FROM programs, unnest(ARRAY['first', 'second']) AS number WHERE name = 'B'`);
    const invalid = 'X,A,1,Optics,,none,,,1,1';
    await imported(
      `${header},program_occurrence,branch_occurrence\n${invalid}\nX,B,2,Waves,changed,2,,,2,2\n`,
      'file.csv',
      '--update',
      '--skip-invalid',
    );

    expect(await database.query('SELECT name, duration FROM programs ORDER BY id')).toEqual([
      { name: 'A', duration: '1' },
      { name: 'B', duration: '2' },
    ]);
    expect(await database.query('SELECT description FROM branches ORDER BY id')).toEqual([
      { description: 'first' },
      { description: 'changed' },
    ]);
  });

  it('not by an occurrence that is no number of one', async () => {
    const rows = ['0', '-1', '1.5', 'second', '2147483648'].map((occurrence) => `A,1,,,${occurrence}\n`);
    const text = `program_name,program_duration,branch_name,branch_years,program_occurrence\n${rows.join('')}`;

    expect(await imported(text, 'file.csv', '--dry-run')).toMatchObject({
      problems: rows.map((_, place) => ({
        line: place + 2,
        column: 'program_occurrence',
        message: expect.stringMatching(/^program_occurrence must be/),
      })),
    });
  });

  it('only while it is not deleted', async () => {
    await imported(csv('BSC,Science,3 years,Optics,,2,,'));
    await database.query('UPDATE branches SET deleted_at = now(), deleted_with_program = true');
    await database.query('UPDATE programs SET deleted_at = now()');

    expect(await imported(csv('BSC,Science,3 years,Optics,,2,,'))).toMatchObject({
      programs: { created: 1, unchanged: 0 },
      branches: { created: 1, unchanged: 0 },
    });
  });
});

describe('a row without a branch', () => {
  it('has its values for a branch listed as not used, in case the name was forgotten', async () => {
    const summary = await imported(
      csv('A,A,1,Optics,,2,,', 'A,A,1,Optics,,3,,', 'B,B,1,, lenses ,4.0,L,true', 'C,C,1,,,0,,true'),
    );

    expect(summary).toMatchObject({ programs: { created: 3 }, branches: { created: 1 }, conflictCount: 4 });
    expect(summary['conflicts']).toMatchObject([
      { line: 3, column: 'branch_years', value: '3' },
      {
        line: 4,
        column: 'branch_description',
        message:
          'branch_description has a value but branch_name is empty: a program without branches has no use for it.',
        value: ' lenses ',
      },
      { line: 4, column: 'branch_years', value: '4.0' },
      { line: 4, column: 'branch_code_prefix', value: 'L' },
    ]);
  });
});

describe('an existing branch is matched', () => {
  it('by its name within its program', async () => {
    await imported(csv('A,A,1,Optics,,2,,', 'B,B,1,Optics,,3,,'));

    expect(await imported(csv('B,B,1,Optics,,3,,', 'B,B,1,optics,,3,,'))).toMatchObject({
      branches: { created: 1, unchanged: 1 },
    });
  });

  it('by a later row, which is counted as repeated, and whose differences are listed', async () => {
    const summary = await imported(
      csv('A,A,1,Optics,first,2,,', 'A,A,1,,,,,', 'A,A,1,Optics,first,2,,', 'A,A,1,Optics,second,3,Y,false'),
    );

    expect(summary).toMatchObject({
      rows: 4,
      branches: { created: 1, unchanged: 0 },
      years: { created: 2 },
      repeated: 2,
    });
    expect(summary['conflicts']).toEqual(
      [
        ['branch_code_is_numeric', 'false', 'true'],
        ['branch_code_prefix', 'Y', ''],
        ['branch_description', 'second', 'first'],
        ['branch_years', '3', '2'],
      ].map(([column, value, kept]) => ({
        line: 5,
        column,
        message: `${column} is "${value}" here but "${kept}" on line 2, which is kept.`,
        value,
        kept: kept || null,
        keptLine: 2,
        kind: 'branch',
        recordId: null,
        name: 'Optics',
        programName: 'A',
      })),
    );
  });

  it('by a row that differs, without changing it', async () => {
    await imported(csv('A,A,1,Optics,first,2,,'));
    const { conflicts } = await imported(csv(`A,A,1,Optics,${'long '.repeat(50)},3,,`));

    const record = { kind: 'branch', recordId: 1, name: 'Optics', programName: 'A' };
    expect(conflicts).toEqual([
      {
        line: 2,
        column: 'branch_description',
        message: `branch_description is "${'long '.repeat(11)}long…" here but "first" in the database, which is kept.`,
        value: `${'long '.repeat(20)}…`,
        kept: 'first',
        keptLine: null,
        ...record,
      },
      expect.objectContaining({ column: 'branch_years', value: '3', kept: '2' }),
    ]);
    expect(await catalog()).toMatchObject([{ description: 'first', years: '1 2' }]);
  });

  it('only while it is not deleted', async () => {
    await imported(csv('A,A,1,Optics,,2,,'));
    await database.query('UPDATE branches SET deleted_at = now()');

    expect(await imported(csv('A,A,1,Optics,,2,,'))).toMatchObject({ branches: { created: 1, unchanged: 0 } });
  });
});
