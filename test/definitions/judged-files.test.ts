import { beforeAll, describe, expect, it } from 'vitest';
import { importFile, withoutIds } from '../import-export/import/import-file.ts';
import { emptyCatalog } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';
import { choices, definitionsOf } from './definitions.ts';

const server = useSharedServer();
const { define } = definitionsOf(server);

const level = {
  ...{ key: 'level', kind: 'CHOICE', ofPrograms: true, ofBranches: true },
  choices: [{ value: 'A', label: 'Bachelor' }, ...choices('B'), { value: 'C', retired: true, replacedBy: 'B' }],
};

beforeAll(() => define(level, { key: 'places', kind: 'WHOLE_NUMBER' }, { key: 'since', kind: 'DATE' }));

const header = 'program_code,program_name,program_duration,program_attr:level,program_attr:places,program_attr:since';
const table = (...lines: readonly string[]): string => `${[header, ...lines].join('\n')}\n`;
const send = async (content: string, query: Record<string, string> = {}) =>
  (await importFile(server, content, { query: { update: 'true', ...query } })).body;

const attributesOf = async (code: string) => {
  const { body } = await server.graphql(
    'query ($codes: [String!]!) { programs(filter: { codes: $codes }) { items { attributes { key value } } } }',
    { codes: [code] },
  );
  const [item] = body.data.programs.items;
  return item && Object.fromEntries(item.attributes.map((one: { key: string; value: string }) => [one.key, one.value]));
};

const exported = async (): Promise<string> => (await server.get('/export/catalog.csv')).text();

describe('values of a file', () => {
  it('are stored in one form, a label as its value, and a retired choice is imported and listed', async () => {
    const report = await send(table('P1,Physics,1 Year,Bachelor, 007 ,31.12.2026', 'P2,Optics,1 Year,C,,'));
    expect(report).toMatchObject({ outcome: 'imported', problems: [], retiredCount: 1 });
    expect(report.retired).toMatchObject([
      { line: 3, column: 'program_attr:level', rule: 'RETIRED_CHOICE', details: { replacedBy: 'B' }, value: 'C' },
    ]);
    expect(await attributesOf('P1')).toEqual({ level: 'A', places: '7', since: '2026-12-31' });
    expect(await attributesOf('P2')).toEqual({ level: 'C' });
  });

  it('that definitions refuse are problems by line and column, in a dry run as in the run; the other rows can be imported', async () => {
    const file = table('P3,Three,1 Year,X,1e3,', 'P4,Four,1 Year,A,4,', 'P1,Physics,1 Year,A,many,');
    for (const dryRun of ['true', 'false']) {
      const report = await send(file, { dryRun });
      expect(report).toMatchObject({ outcome: 'rejected', problemCount: 3 });
      // By their labels, without the retired one.
      expect(report.problems[0].details.choices).toBe('Bachelor, B');
      expect(
        report.problems.map((one: Record<string, unknown>) => [one['line'], one['column'], one['rule'], one['value']]),
      ).toEqual([
        [2, 'program_attr:level', 'NOT_A_CHOICE', 'X'],
        [2, 'program_attr:places', 'NOT_A_WHOLE_NUMBER', '1e3'],
        [4, 'program_attr:places', 'NOT_A_WHOLE_NUMBER', 'many'],
      ]);
    }
    const dry = await send(file, { dryRun: 'true', skipInvalid: 'true' });
    const report = await send(file, { skipInvalid: 'true' });
    expect({ ...dry, outcome: 'imported', changeId: report.changeId }).toEqual(report);
    expect(report).toMatchObject({ outcome: 'imported', skipped: 2, programs: { created: 1, changed: 0 } });
    expect(report.rejectedCsv).toContain('P3,Three');
    expect(await attributesOf('P3')).toBeUndefined();
  });

  it('that a record has already are in the way of nothing, nor are those that an import leaves', async () => {
    await server.database.query(
      `UPDATE programs SET attributes = '{"level": "X", "places": "few", "name.fr": "x"}' WHERE code = 'P1'`,
    );
    const file =
      'program_code,program_name,program_duration,program_attr:level,program_attr:places,program_attr:name.fr\n';
    const same = await send(`${file}P1,Physics II,1 Year,X,few,x\n`);
    expect(same).toMatchObject({ outcome: 'imported', problems: [], programs: { changed: 1 } });
    const kept = await send(table('P1,Physics,1 Year,Y,,'), { keep: 'program_attr:level' });
    expect(kept).toMatchObject({ outcome: 'imported', problems: [] });
    expect(await send(table('P1,Physics,1 Year,Y,,'), { update: 'false' })).toMatchObject({
      outcome: 'imported',
      problems: [],
    });
    expect(await send(`${file}P4,Four,1 Year,A,4,new\n`)).toMatchObject({
      outcome: 'rejected',
      problems: [{ line: 2, column: 'program_attr:name.fr', rule: 'RESERVED_KEY' }],
    });
  });

  it('that are required must be there in new records, and cannot be removed', async () => {
    await define({ ...level, required: true });
    const branches = `${header},branch_name,branch_years,branch_attr:level\n`;
    const report = await send(
      `${branches}P9,Nine,1 Year,,,,One,1,A\nP9,Nine,1 Year,,,,Two,1,\nP4,Four,1 Year,A,,,Three,1,B\n`,
    );
    expect(report.problems.map((one: Record<string, unknown>) => [one['line'], one['column'], one['rule']])).toEqual([
      [2, 'program_attr:level', 'REQUIRED_ATTRIBUTE'],
      [3, 'program_attr:level', 'REQUIRED_ATTRIBUTE'],
      [3, 'branch_attr:level', 'REQUIRED_ATTRIBUTE'],
    ]);
    const skipped = await send(`${branches}P9,Nine,1 Year,,,,One,1,A\nP9,Nine,1 Year,B,,,Two,1,A\n`, {
      skipInvalid: 'true',
    });
    expect(skipped).toMatchObject({
      outcome: 'imported',
      skipped: 1,
      programs: { created: 1 },
      branches: { created: 1 },
    });
    expect(await send(table('P9,Nine,1 Year, ,,'))).toMatchObject({
      outcome: 'rejected',
      problems: [{ line: 2, column: 'program_attr:level', rule: 'REQUIRED_ATTRIBUTE' }],
    });
    await define({ ...level, required: false });
  });

  it('are the same bytes when an export with retired choices is imported into an empty catalog', async () => {
    await server.database.query(`DELETE FROM programs WHERE code = 'P1'`);
    const before = await exported();
    expect(before).toContain(',C,');
    await server.database.query(emptyCatalog);
    expect(await send(before)).toMatchObject({ outcome: 'imported', problems: [] });
    expect(withoutIds(await exported())).toBe(withoutIds(before));
  });
});
