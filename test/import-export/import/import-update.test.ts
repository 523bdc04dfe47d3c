import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockTable } from '@service/postgres/testing/table-lock';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Run, runCommand } from '../../cli/run-command.ts';
import { emptyCatalog } from '../../support/database.ts';
import { makeFolder } from '../../support/files.ts';
import { within } from '../../support/running-time.ts';
import { useServer } from '../../support/server.ts';
import { csv, exportHeader, header } from './import-file.ts';

const folder = makeFolder();
// No test reads what another one has left in the response cache.
const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });

beforeEach(async () => {
  await server.database.query(emptyCatalog);
  await imported(
    csv('BSC,Science,3 years,Optics,Light,3,O,true', 'BSC,Science,3 years,Waves,,2,W,true', ',Arts,1,,,,,'),
  );
});

async function imported(text: string, ...options: string[]): Promise<Run> {
  const file = join(folder, 'file.csv');
  await writeFile(file, text);
  return runCommand(server.database.url, ['import', file, ...options]);
}
const summaryOf = async (text: string, ...options: string[]) =>
  JSON.parse((await imported(text, '--json', ...options)).out);

const query = `{
  program(id: 1) { name duration version
    branches { id name description codePrefix codeIsNumeric version years { id code } }
  }
}`;
const catalog = async () => (await server.graphql(query)).body.data;

const changed = csv(
  'BSC,Natural Science,3 years,Optics,"Light, and more",2,OP,false',
  'BSC,Science,3 years,Waves,,2,W,true',
  'BSC,Natural Science,3 years,Optics,Something else,2,OP,false',
  ',Arts,1,Music,,1,,',
);

describe('import --update', () => {
  it('updates records that differ, and leaves the others and their version unchanged', async () => {
    const before = await catalog();
    const summary = await summaryOf(changed, '--update');
    const after = await catalog();

    expect(summary).toMatchObject({
      outcome: 'imported',
      update: true,
      programs: { created: 0, changed: 1, unchanged: 1 },
      branches: { created: 1, changed: 1, unchanged: 1 },
      years: { created: 1, changed: 2, removed: 1 },
      repeated: 1,
      changeCount: 5,
      recordCount: 2,
      conflictCount: 2,
    });
    const differing = (field: string, old: unknown, now: unknown) => ({ field, before: old, after: now });
    expect(summary.records).toEqual([
      {
        kind: 'program',
        recordId: 1,
        action: 'UPDATE',
        name: 'Natural Science',
        programId: null,
        programName: null,
        fields: [
          differing('name', before.program.name, 'Natural Science'),
          differing('duration', before.program.duration, '3 years'),
        ].filter((one) => one.before !== one.after),
      },
      expect.objectContaining({
        kind: 'branch',
        recordId: before.program.branches[0].id,
        programId: 1,
        fields: expect.arrayContaining([differing('years', before.program.branches[0].years.length, 2)]),
      }),
    ]);
    const [optics, waves] = before.program.branches;
    expect(after.program).toMatchObject({
      name: 'Natural Science',
      duration: '3 years',
      version: 2,
      branches: [
        {
          id: optics.id,
          name: 'Optics',
          description: 'Light, and more',
          codePrefix: 'OP',
          codeIsNumeric: false,
          version: 2,
          years: [
            { id: optics.years[0].id, code: 'OPA' },
            { id: optics.years[1].id, code: 'OPB' },
          ],
        },
        waves,
      ],
    });
  });

  it('lists old and new values, and changes nothing with --dry-run', async () => {
    const before = await catalog();
    const { out, exitCode } = await imported(changed, '--update', '--dry-run');

    expect(exitCode).toBe(0);
    expect(out).toBe(
      `Dry run, nothing changed: 4 of 4 rows of ${join(folder, 'file.csv')}.\n` +
        '  programs  0 to create, 1 to change, 1 already existing\n' +
        '  branches  1 to create, 1 to change, 1 already existing, 1 rows repeated\n' +
        '  years     1 to create, 2 to change, 1 to remove\n' +
        'Would change (5):\n' +
        '  line 2: branch_code_is_numeric of branch 1: "true" becomes "false".\n' +
        '  line 2: branch_code_prefix of branch 1: "O" becomes "OP".\n' +
        '  line 2: branch_description of branch 1: "Light" becomes "Light, and more".\n' +
        '  line 2: branch_years of branch 1: "3" becomes "2".\n' +
        '  line 2: program_name of program 1: "Science" becomes "Natural Science".\n',
    );
    expect(await catalog()).toEqual(before);
    const { changes, conflicts } = await summaryOf(changed, '--update', '--dry-run');
    expect(changes[4]).toMatchObject({ kind: 'program', recordId: 1, from: 'Science', to: 'Natural Science' });
    expect(conflicts.map(({ message }: { message: string }) => message)).toEqual([
      'program_name is "Science" here but "Natural Science" on line 2, which is kept.',
      'branch_description is "Something else" here but "Light, and more" on line 2, which is kept.',
    ]);
  });

  it('lists what is kept of a record when its first row lacks a value that a later one has', async () => {
    const file = join(folder, 'file.json');
    const row = { program_code: 'BSC', program_name: 'Science', program_duration: '3 years', branch_name: 'Optics' };
    const rows = [row, { ...row, branch_description: 'Dark', branch_code_prefix: 'X', branch_code_is_numeric: false }];
    await writeFile(file, JSON.stringify(rows.map((fields) => ({ ...fields, branch_years: 3 }))));

    const { out } = await runCommand(server.database.url, ['import', file, '--update', '--json']);
    expect(JSON.parse(out)).toMatchObject({ changeCount: 0, repeated: 1 });
    expect(JSON.parse(out).conflicts.map(({ message }: { message: string }) => message)).toEqual([
      'branch_code_is_numeric is "false" here but "true" on line 1, which is kept.',
      'branch_code_prefix is "X" here but "O" on line 1, which is kept.',
      'branch_description is "Dark" here but "Light" on line 1, which is kept.',
    ]);
  });

  it('does not change fields of missing columns, nor whether codes are numeric', async () => {
    const [lacking, blank] = ['program_name,program_duration,branch_name,branch_years', 'program_code'];
    await imported(`${lacking},${blank}\nScience,3 years,Optics,4,BSC\n`, '--update');
    expect((await catalog()).program.branches[0]).toMatchObject({
      description: 'Light',
      codePrefix: 'O',
      years: [{ code: 'O1' }, { code: 'O2' }, { code: 'O3' }, { code: 'O4' }],
    });

    await imported(csv('BSC,Science,3 years,Optics,,4,,'), '--update');
    expect((await catalog()).program.branches[0]).toMatchObject({
      description: '',
      codePrefix: '',
      codeIsNumeric: true,
      years: [{ code: '1' }, { code: '2' }, { code: '3' }, { code: '4' }],
    });
  });

  it('changes nothing when one of the records is changed concurrently', async () => {
    const other = await lockTable(server.database, 'programs', 'ACCESS SHARE');
    await other.query(`UPDATE programs SET name = 'Sciences', version = 2 WHERE id = 1`);
    const run = imported(changed, '--update');
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await within(20_000, async () => expect(await server.database.query(blocked)).toHaveLength(1));
    await other.query('COMMIT');
    await other.release();

    expect(await run).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining(
        'A record of the file has just been changed. Nothing was imported: please try again.\n',
      ),
    });
    const { program } = await catalog();
    expect(program).toMatchObject({
      name: 'Sciences',
      version: 2,
      branches: [{ codePrefix: 'O' }, { codePrefix: 'W' }],
    });
  });
});

describe('import --rejected', () => {
  const rejected = () => readFile(join(folder, 'rejected.csv'), 'utf8');

  it('writes the invalid rows unchanged, with line numbers and problems', async () => {
    const text =
      'program_name;program_duration;note;branch_name;branch_years\n' +
      'Law;5;"x; y";Civil;2\n' +
      'Law;;"x; ""y""";Civil;12\n' +
      'Law;5;;;;6\n' +
      'Law;5;"a"b;Civil;2\n';
    const { exitCode, out } = await imported(text, '--skip-invalid', '--rejected', join(folder, 'rejected.csv'));

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Imported 1 of 4 rows of .*; the others have errors and were skipped\.\n/);
    expect(await rejected()).toBe(
      'line,problem,program_name,program_duration,note,branch_name,branch_years\n' +
        '3,program_duration must not be blank. branch_years must be from 1 to 10.,Law,,"x; ""y""",Civil,12\n' +
        '4,has 6 cells where the header has 5,Law,5,,,,6\n' +
        '5,cannot be read: text after the closing quote of a cell,Law,5,"""a""b;Civil;2"\n',
    );
  });

  it('writes invalid JSON elements as rows with the columns of the format', async () => {
    const file = join(folder, 'file.json');
    await writeFile(file, '[{"program_name": "Law", "program_duration": 5, "other": 1},\n [1]]');
    const words = ['import', file, '--dry-run', '--rejected', join(folder, 'rejected.csv')];

    expect(await runCommand(server.database.url, words)).toMatchObject({ exitCode: 3 });
    expect(await rejected()).toBe(
      `line,problem,${exportHeader},program_new_code,branch_new_code,program_occurrence,branch_occurrence,program_attributes,branch_attributes\n` +
        '1,program_duration must be a string.,,,Law,5,,,,,,,,,,,,,\n' +
        '2,is not an object,[1]\n',
    );
  });

  it('writes the header alone when all rows are valid', async () => {
    await imported(csv('BSC,Science,3 years,,,,,'), '--rejected', join(folder, 'rejected.csv'));

    expect(await rejected()).toBe(`line,problem,${header}\n`);
  });

  it('fails when the file cannot be written', async () => {
    expect(await imported(csv(), '--rejected', folder)).toEqual({
      exitCode: 1,
      out: '',
      err: `Cannot write ${folder}: EISDIR.\n`,
    });
  });
});
