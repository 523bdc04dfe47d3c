import { array, asyncProperty, assert as check, constantFrom, record } from 'fast-check';
import { expect, inject, it } from 'vitest';
import { emptyCatalog } from '../../support/database.ts';
import { useSharedServer } from '../../support/server.ts';
import { importFile } from './import-file.ts';

const server = useSharedServer();

const code = constantFrom('', '', 'A', 'B', 'C');
const id = constantFrom('', '', '', '1', '2', '3');
const occurrence = constantFrom('', '', '1', '2', '3');
const row = record({
  program_id: id,
  program_code: code,
  program_new_code: constantFrom('', '', '', 'A', 'B', 'D'),
  program_occurrence: occurrence,
  program_name: constantFrom('Nursing', 'Pharmacy', 'Law'),
  program_duration: constantFrom('3 Years', '4 Years'),
  branch_id: id,
  branch_code: code,
  branch_new_code: constantFrom('', '', '', 'A', 'D'),
  branch_occurrence: occurrence,
  branch_name: constantFrom('', 'One', 'Two', 'Three'),
  branch_years: constantFrom('1', '2'),
});
type Row = Readonly<Record<string, string>>;
const rows = (length: number) => array(row, { minLength: 1, maxLength: length });
const yesOrNo = constantFrom(true, false);
/** What rows have beside codes, names and values. */
const kinds = [
  [],
  ['id'],
  ['new_code'],
  ['id', 'new_code'],
  ['occurrence'],
  ['new_code', 'occurrence'],
  ['id', 'occurrence'],
] as const;
const given = record({ kind: constantFrom(...kinds), update: yesOrNo, renamed: yesOrNo });

interface Given {
  readonly kind: readonly string[];
  readonly update: boolean;
  readonly renamed: boolean;
}

async function imported(file: readonly Row[], { kind, update, renamed }: Given) {
  const columns = Object.keys(file[0] ?? {}).filter((name) => {
    const [field = ''] = /id$|new_code$|occurrence$/.exec(name) ?? [];
    return field === '' || kind.includes(field);
  });
  const lines = [columns, ...file.map((of) => columns.map((name) => of[name]))].map((cells) => cells.join());
  const query = { skipInvalid: 'true', update: String(update), renamed: String(renamed), ownIds: 'true' };
  const { body } = await importFile(server, `${lines.join('\n')}\n`, { query });
  return body;
}

/** The rows of an export, whose cells have no commas. */
async function exported(): Promise<readonly Row[]> {
  const [columns = [], ...lines] = (await (await server.get('/export/catalog.csv')).text())
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
}

const created = ({ programs, branches }: Awaited<ReturnType<typeof imported>>): number =>
  (programs?.created ?? 0) + (branches?.created ?? 0);

/** An id that no record has yet becomes one that none will have. */
async function knownIds() {
  const [last] = await server.database.query(
    'SELECT (SELECT coalesce(max(id), 0) FROM programs) AS program, (SELECT coalesce(max(id), 0) FROM branches) AS branch',
  );
  return (of: Row, kind: 'program' | 'branch'): string => {
    const named = of[`${kind}_id`] ?? '';
    return named === '' || Number(named) <= Number(last?.[kind]) ? named : '9999';
  };
}

it('a file that is imported again creates nothing', async () => {
  await check(
    asyncProperty(rows(6), rows(6), given, async (before, file, how) => {
      await server.database.query(emptyCatalog);
      await imported(before, { ...how, kind: [] });
      const known = await knownIds();
      const sent = file.map((of) => ({ ...of, program_id: known(of, 'program'), branch_id: known(of, 'branch') }));
      await imported(sent, how);
      const again = await imported(sent, how);
      expect(created(again)).toBe(0);
    }),
    { numRuns: inject('thorough') ? 60 : 15, endOnFailure: false },
  );
});

/** What a row of an export has otherwise in an edited file; names and codes only beside an id. */
const edit = record({
  program: constantFrom({}, {}, {}, { program_id: '' }, { program_name: 'Biology' }),
  branch: constantFrom(
    {},
    {},
    {},
    { branch_id: '' },
    { branch_name: 'One' },
    { branch_name: 'Four' },
    { branch_code: 'A' },
  ),
});
const edits = array(edit, { minLength: 6, maxLength: 6 });

it('an export of which ids are emptied creates nothing; nor does it when it comes again, if the other ids rename their records', async () => {
  await check(
    asyncProperty(rows(6), edits, yesOrNo, yesOrNo, async (before, changes, renames, update) => {
      await server.database.query(emptyCatalog);
      const how = { kind: ['id', 'occurrence'], update, renamed: false };
      await imported(before, { ...how, kind: ['occurrence'] });
      const file = (await exported()).map((of, at) => {
        const { program = {}, branch = {} } = changes[at % changes.length] ?? {};
        const isMeant = (field: object) => renames || 'program_id' in field || 'branch_id' in field;
        return { ...of, ...(isMeant(program) && program), ...(of['branch_name'] !== '' && isMeant(branch) && branch) };
      });
      if (file.length === 0) return;
      const first = await imported(file, how);
      if (!renames) expect(created(first)).toBe(0);
      expect(created(await imported(file, how))).toBe(0);
    }),
    { numRuns: inject('thorough') ? 60 : 15, endOnFailure: false },
  );
});
