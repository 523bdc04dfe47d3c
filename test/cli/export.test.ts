import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runCommand } from './run-command.ts';

const header =
  'program_code,program_name,program_duration,branch_name,branch_description,branch_years,branch_code_prefix,branch_code_is_numeric\n';

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});
const empty = () => database.query('TRUNCATE branch_years, branches, programs RESTART IDENTITY');
beforeEach(empty);

async function exported(...options: string[]): Promise<string> {
  const { exitCode, out, err } = await runCommand(database.url, ['export', ...options]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

async function importText(text: string, name: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, text);
  const { exitCode, err } = await runCommand(database.url, ['import', file]);
  expect(exitCode, err).toBe(0);
}

describe('export', () => {
  it('writes programs in the order of their ids, with their branches in the order of theirs', async () => {
    await importText(
      `${header}B,Second,2,Late,,2,,\nA,First,1,,,,,\nB,Second,2,Early,"x, ""y""\n=z",1,P,false\n`,
      'a.csv',
    );

    expect(await exported()).toBe(
      `${header}B,Second,2,Late,,2,,true\nB,Second,2,Early,"x, ""y""\n=z",1,P,false\nA,First,1,,,,,\n`,
    );
    const [late, early, first] = JSON.parse(await exported('--format', 'json'));
    expect([late, early, first]).toEqual([
      {
        program_code: 'B',
        program_name: 'Second',
        program_duration: '2',
        branch_name: 'Late',
        branch_description: '',
        branch_years: 2,
        branch_code_prefix: '',
        branch_code_is_numeric: true,
      },
      {
        ...late,
        branch_name: 'Early',
        branch_description: 'x, "y"\n=z',
        branch_years: 1,
        branch_code_prefix: 'P',
        branch_code_is_numeric: false,
      },
      {
        ...late,
        program_code: 'A',
        program_name: 'First',
        program_duration: '1',
        branch_name: '',
        branch_years: null,
        branch_code_is_numeric: null,
      },
    ]);
    expect(await exported('--json')).toBe(await exported('--format', 'json'));
  });

  it('of nothing is the names of the columns, or an empty array', async () => {
    expect(await exported('--format', 'csv')).toBe(header);
    expect(await exported('--json')).toBe('[]\n');
  });

  it('leaves out what is deleted', async () => {
    await importText(`${header}A,A,1,Gone,,2,,\nA,A,1,Here,,2,,\nB,B,1,Gone,,2,,\n`, 'a.csv');
    await database.query(`UPDATE branches SET deleted_at = now() WHERE name = 'Gone'`);
    await database.query(`UPDATE programs SET deleted_at = now() WHERE name = 'B'`);

    expect(await exported()).toBe(`${header}A,A,1,Here,,2,,true\n`);
  });

  it('writes more than it fetches at a time', async () => {
    await database.query(
      `INSERT INTO programs (name, duration) SELECT 'Program ' || n, '1' FROM generate_series(1, 4500) n`,
    );

    expect((await exported()).split('\n')).toHaveLength(4502);
    expect(JSON.parse(await exported('--json'))).toHaveLength(4500);
  });
});

/** Text as the service stores it: of these characters above all, since they mean something in files. */
const character = fc.oneof(
  fc.constantFrom(...',;"\'=+-@\\ \u00a0{}[]:#'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = (length: { minLength?: number; maxLength: number }) =>
  fc.array(character, length).map((characters) => characters.join('').normalize('NFC').replaceAll('\0', ''));
const oneLine = (length: { minLength?: number; maxLength: number }) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: to leave them out is what it is for.
  text(length).map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '').trim());
const name = oneLine({ minLength: 1, maxLength: 12 }).filter((line) => line !== '');
const lines = fc.array(fc.oneof(text({ maxLength: 8 }), fc.constantFrom('\n', '\r', '\r\n', '\t')), { maxLength: 6 });

const someBranch = fc.record({
  name,
  description: lines.map((parts) => parts.join('').normalize('NFC')),
  years: fc.integer({ min: 1, max: 10 }),
  prefix: oneLine({ maxLength: 5 }),
  numeric: fc.boolean(),
});
const someProgram = fc.record({
  code: fc.option(name),
  name,
  duration: name,
  branches: fc.uniqueArray(someBranch, { selector: (branch) => branch.name, maxLength: 4 }),
});
const someCatalog = fc.uniqueArray(someProgram, {
  selector: (program) => program.code ?? `${program.name}\n${program.duration}`,
  maxLength: 5,
});

describe('what is exported', () => {
  it.each(['csv', 'json'])(
    'as %s and imported into an empty database is exported as the same bytes',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(someCatalog, async (catalog) => {
          await empty();
          await database.query(
            `WITH given AS (SELECT * FROM json_array_elements($1) WITH ORDINALITY AS g (program, number)),
           made AS (
             INSERT INTO programs (id, code, name, duration)
             SELECT number * 3, program ->> 'code', program ->> 'name', program ->> 'duration' FROM given
           ), branched AS (
             SELECT number * 3 AS program_id, number * 100 + place AS id, branch
             FROM given, json_array_elements(program -> 'branches') WITH ORDINALITY AS b (branch, place)
           ), placed AS (
             INSERT INTO branches (id, program_id, name, description, code_prefix, code_is_numeric)
             SELECT id, program_id, branch ->> 'name', branch ->> 'description', branch ->> 'prefix', (branch ->> 'numeric')::boolean
             FROM branched
           )
           INSERT INTO branch_years (branch_id, year, code)
           SELECT id, year, year::text FROM branched, generate_series(1, (branch ->> 'years')::integer) AS year`,
            [JSON.stringify(catalog)],
          );
          const first = await exported('--format', format);
          await empty();
          await importText(first, `round.${format}`);

          expect(await exported('--format', format)).toBe(first);
          expect(JSON.parse(await exported('--json'))).toHaveLength(
            catalog.reduce((rows, { branches }) => rows + Math.max(1, branches.length), 0),
          );
        }),
        { numRuns: 15 },
      );
    },
  );
});
