import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { withoutFormulas } from '../../src/academics/import-export/export/spreadsheet-csv.ts';
import { withoutInvisible, withoutNeedless } from '../../src/validation/invisible.ts';
import { runCommand } from '../cli/run-command.ts';
import { emptyCatalog, useDatabase } from '../support/database.ts';
import { makeFolder } from '../support/files.ts';
import { exportHeader, withoutIds } from './import/import-file.ts';

const header = `${withoutIds(exportHeader)}\n`;

const folder = makeFolder();
const database = useDatabase();

const empty = () => database.query(emptyCatalog);
beforeEach(empty);

async function exported(...options: string[]): Promise<string> {
  const { exitCode, out, err } = await runCommand(database.url, ['export', ...options]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

it('is logged with who ran it and how much it was', async () => {
  await importText('program_name,program_duration,branch_name,branch_years\nArts,1,Music,2\n', 'one.csv');
  const logged: object[] = [];
  const { out } = await runCommand(database.url, ['export'], { onLog: (line) => logged.push(line) });
  expect(logged).toEqual([
    expect.objectContaining({
      level: 30,
      msg: 'export',
      actor: 'cli',
      systemUser: expect.any(String),
      records: 1,
      bytes: Buffer.byteLength(out),
      outcome: 'done',
    }),
  ]);
});

async function importText(text: string, name: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, text);
  const { exitCode, err } = await runCommand(database.url, ['import', file]);
  expect(exitCode, err).toBe(0);
}

it('has the programs of a filter, in an order', async () => {
  await importText('program_name,program_duration,branch_name,branch_years\nArts,1,,\nLaw,2,,\nMusic,2,,\n', 'a.csv');
  const filter = { not: { durations: ['1'] }, orderBy: 'NAME_DESC' };
  const rows: readonly { program_name: string }[] = JSON.parse(
    await exported('--json', '--filter', JSON.stringify(filter)),
  );
  expect(rows.map((row) => row.program_name)).toEqual(['Music', 'Law']);
  const { exitCode, err } = await runCommand(database.url, ['export', '--filter', '{"duratoin": "1"}']);
  expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('Unrecognized key: "duratoin"') });
});

describe('export', () => {
  it('writes programs and their branches in the order of their ids', async () => {
    await importText(
      `${header}B,Second,2,L,Late,,2,,\nA,First,1,,,,,,\nB,Second,2,,Early,"x, ""y""\n=z",1,P,false\n`,
      'a.csv',
    );

    expect(withoutIds(await exported())).toBe(
      `${header}B,Second,2,L,Late,,2,,true\nB,Second,2,,Early,"x, ""y""\n=z",1,P,false\nA,First,1,,,,,,\n`,
    );
    const [late, early, first] = JSON.parse(await exported('--format', 'json'));
    expect([late, early, first]).toEqual([
      {
        program_id: 1,
        program_code: 'B',
        program_name: 'Second',
        program_duration: '2',
        branch_id: 1,
        branch_code: 'L',
        branch_name: 'Late',
        branch_description: '',
        branch_years: 2,
        branch_code_prefix: '',
        branch_code_is_numeric: true,
        program_attributes: {},
        branch_attributes: {},
      },
      {
        ...late,
        branch_id: 2,
        branch_code: '',
        branch_name: 'Early',
        branch_description: 'x, "y"\n=z',
        branch_years: 1,
        branch_code_prefix: 'P',
        branch_code_is_numeric: false,
      },
      {
        ...late,
        program_id: 2,
        program_code: 'A',
        program_name: 'First',
        program_duration: '1',
        branch_id: null,
        branch_code: '',
        branch_name: '',
        branch_years: null,
        branch_code_is_numeric: null,
        branch_attributes: null,
      },
    ]);
    expect(await exported('--json')).toBe(await exported('--format', 'json'));
  });

  it('writes the header alone, or an empty array, for an empty catalog', async () => {
    expect(await exported('--format', 'csv')).toBe(`${exportHeader}\n`);
    expect(await exported('--json')).toBe('[]\n');
  });
});

/** Stored text, mostly of characters with a meaning in files. */
const character = fc.oneof(
  fc.constantFrom(...',;"\'=+-@\\ \u00a0{}[]:#'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = (length: { minLength?: number; maxLength: number }) =>
  fc
    .array(character, length)
    .map((characters) => characters.join('').normalize('NFC').replaceAll('\0', '').replaceAll('\r', '\n'));
const oneLine = (length: { minLength?: number; maxLength: number }) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them.
  text(length).map((line) => withoutNeedless(line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '')).trim());
const name = oneLine({ minLength: 1, maxLength: 12 }).filter((line) => line !== '');
const lines = fc.array(fc.oneof(text({ maxLength: 8 }), fc.constantFrom('\n', '\t')), { maxLength: 6 });

/** Few names, so that many are equal, and some arbitrary ones. */
const someName = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('A', 'a', 'B', '=1+1') }, name);
/** Dashes alone stand for no code. */
const someCode = someName.map(
  (code) =>
    withoutInvisible(code)
      .trim()
      .replace(/^[\p{Pd}\u2212]+$/u, '') || 'C',
);
const someBranch = fc.record({
  code: fc.option(someCode, { freq: 2 }),
  name: someName,
  description: lines.map((parts) => parts.join('').normalize('NFC')),
  years: fc.integer({ min: 1, max: 10 }),
  prefix: oneLine({ maxLength: 5 }).map((prefix) => withoutInvisible(prefix).trim()),
  numeric: fc.boolean(),
  deleted: fc.boolean(),
});
const someProgram = fc.record({
  code: fc.option(someCode, { freq: 2 }),
  name: someName,
  duration: someName,
  deleted: fc.boolean(),
  branches: fc.array(someBranch, { maxLength: 5 }),
});
const someCatalog = fc.array(someProgram, { maxLength: 8 });

/** Fills the database as the service would, with gaps between the ids. */
const fill = (catalog: unknown) =>
  database.query(
    `WITH given AS (SELECT * FROM json_array_elements($1) WITH ORDINALITY AS g (program, number)),
     made AS (
       INSERT INTO programs (id, code, name, duration, deleted_at)
       SELECT number * 3, program ->> 'code', program ->> 'name', program ->> 'duration',
         CASE WHEN (program ->> 'deleted')::boolean THEN now() END
       FROM given
     ), branched AS (
       SELECT number * 3 AS program_id, number * 100 + place AS id, branch,
         (program ->> 'deleted')::boolean OR (branch ->> 'deleted')::boolean AS deleted
       FROM given, json_array_elements(program -> 'branches') WITH ORDINALITY AS b (branch, place)
     ), placed AS (
       INSERT INTO branches (id, program_id, code, name, description, code_prefix, code_is_numeric, deleted_at)
       SELECT id, program_id, branch ->> 'code', branch ->> 'name', branch ->> 'description', branch ->> 'prefix', (branch ->> 'numeric')::boolean,
         CASE WHEN deleted THEN now() END
       FROM branched
     )
     INSERT INTO branch_years (branch_id, year, code)
     SELECT id, year, (branch ->> 'prefix') || CASE WHEN (branch ->> 'numeric')::boolean THEN year::text ELSE chr(64 + year) END
     FROM branched, generate_series(1, (branch ->> 'years')::integer) AS year`,
    [JSON.stringify(catalog)],
  );

/** The whole catalog in order, without ids, which differ in another database. */
const contents = () =>
  database.query(`
    SELECT p.code, p.name, p.duration, (
      SELECT json_agg(json_build_array(b.code, b.name, b.description, b.code_prefix, b.code_is_numeric, (
        SELECT json_agg(json_build_array(y.year, y.code) ORDER BY y.year) FROM branch_years y WHERE y.branch_id = b.id
      )) ORDER BY b.id) FROM branches b WHERE b.program_id = p.id AND b.deleted_at IS NULL
    ) AS branches
    FROM programs p WHERE p.deleted_at IS NULL ORDER BY p.id`);

describe('an export', () => {
  it.each(['csv', 'json'])(
    'as %s and imported into an empty database is the same catalog, whatever it holds, and changes nothing the second time',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(someCatalog, async (catalog) => {
          await empty();
          await fill(catalog);
          const [before, first] = [await contents(), await exported('--format', format)];
          await empty();
          await importText(first, `round.${format}`);

          expect(await contents()).toEqual(before);
          const again = await runCommand(database.url, [
            'import',
            join(folder, `round.${format}`),
            '--update',
            '--json',
          ]);
          expect(JSON.parse(again.out)).toMatchObject({
            programs: { created: 0, changed: 0 },
            branches: { created: 0, changed: 0 },
            conflictCount: 0,
          });
          expect(await contents()).toEqual(before);
        }),
        { numRuns: inject('thorough') ? 6 : 2 },
      );
    },
  );
});

describe('--escape-formulas', () => {
  it('prefixes formulas with an apostrophe; without the option they are unchanged', async () => {
    const cells = ['=1', '+1', '-1', '@a', '\t1', '\r2', "'1", '1=1'];
    await importText(
      `${header}${cells.map((cell) => `"${cell.trim()}",P,1,,"${cell.trim()}","${cell}",1,"${cell.trim()}",\n`).join('')}`,
      'a.csv',
    );
    const escaped = withoutIds(await exported('--escape-formulas'));

    expect(escaped.split('\n').slice(1, 5)).toEqual(
      cells.slice(0, 4).map((cell) => `'${cell},P,1,,'${cell},'${cell},1,'${cell},true`),
    );
    expect(escaped).toContain("1,P,1,,1,'\t1,1,1,true\n");
    expect(escaped).toContain(`"'\n2"`);
    expect(escaped).toContain("'1,P,1,,'1,'1,1,'1,true\n1=1,P,1,,1=1,1=1,1,1=1,true\n");
    expect(withoutIds(await exported())).toContain('=1,P,1,,=1,=1,1,=1,true\n');
  });

  it.each([
    ['\n=1', "'\n'=1"],
    ['a;=1', "a;'=1"],
    ['a; "=1', `a;' "=1`],
    ['a\t@x|+1', "a\t'@x|'+1"],
    ['a\n-1', "a\n'-1"],
    ['＝1', "'＝1"],
    ['a, -1; b=2', 'a, -1; b=2'],
  ])('leaves no formula where other separators are those of a spreadsheet: %j', (text, escaped) => {
    expect(withoutFormulas(text)).toBe(escaped);
  });
});

describe('on a terminal', () => {
  const sequence = '\u001b]0;owned\u0007\u009b2J\r\u202e';
  const visible = '\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u202e';

  it('an export escapes control characters, which are written unchanged elsewhere', async () => {
    await database.query(`INSERT INTO programs (name, duration) VALUES ('A', '1')`);
    await database.query(`INSERT INTO branches (program_id, name, description) VALUES (1, 'B', $1)`, [
      `${sequence}\n\té`,
    ]);
    const shown = async (...words: string[]) => (await runCommand(database.url, words, { terminal: true })).out;

    expect(withoutIds(await shown('export'))).toBe(`${header},A,1,,B,"${visible}\n\té",0,,true\n`);
    expect(JSON.parse(await shown('export', '--json'))[0].branch_description).toBe(`${sequence}\n\té`);
    expect(await shown('export', '--json')).toContain(visible.replace('\\u000d', '\\r'));
    expect(await exported()).toContain(`${sequence}\n\té`);
  });

  it('other commands print no control characters', async () => {
    const name = `x${sequence}`;
    await database.query(`INSERT INTO users (name, role) VALUES ($1, 'guest')`, [name]);
    await database.query(
      `INSERT INTO api_keys (user_id, name, hash, prefix) SELECT id, $1, '\\x00', 'uas_' FROM users WHERE name = $1`,
      [name],
    );
    const file = join(folder, 'evil.csv');
    const cell = `"${sequence.replace('\r', '')}"`;
    await writeFile(
      file,
      `program_name,program_duration,branch_name,branch_years,branch_description,${cell}\nP,1,B,1,${cell},\nP,1,B,1,other,\n,,,,,\n,1,,,,${cell}\n`,
    );

    for (const words of [
      ['users', 'list'],
      ['keys', 'list'],
      ['import', file, '--skip-invalid'],
      ['users', 'disable', name],
    ]) {
      const { out, err } = await runCommand(database.url, words, { terminal: true });
      const shown = `${out}${err}`.replaceAll('\r\u001b[K', '');
      expect(shown).toContain('owned');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them.
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });
});
