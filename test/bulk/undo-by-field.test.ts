import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { flatSnapshot } from '../../src/academics/record-change.ts';
import { clientForTest } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';
import { bulkOf } from './mutations.ts';

const server = useSharedServer();
const { many, update, undo } = bulkOf(server);

const attributes = (values: Readonly<Record<string, string | null>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));
const programOf = async (id: number) => {
  const { body } = await server.graphql(
    `{ program(id: ${id}) { name duration code attributes { key value } version } }`,
  );
  return body.data.program;
};

describe('undoChange by field', () => {
  it('names the fields that somebody has changed since, and who did, and takes the others back', async () => {
    const { id } = await server.make.program();
    const { changeId } = await update('updatePrograms', [id], {
      name: 'Astronomy',
      code: 'A',
      attributes: attributes({ level: 'Degree', shift: 'Day' }),
    });
    const theirs = { name: 'Theirs', attributes: attributes({ level: 'Diploma' }) };
    await server.graphql(
      'mutation ($id: Int!, $input: UpdateProgramInput!) { updateProgram(id: $id, input: $input) { id } }',
      { id, input: theirs },
      await server.makeKey({ role: 'editor', user: 'Zeno' }),
    );
    await update('updatePrograms', [id], { attributes: attributes({ shift: 'Night' }) });
    await update('updatePrograms', [id], { attributes: attributes({ shift: 'Day' }) });

    const left = {
      kind: 'PROGRAM',
      id,
      code: 'CONFLICT',
      message: `Program ${id} has been changed since by Zeno: attributes.level, name.`,
    };
    expect(await undo(changeId)).toEqual({ changeId: expect.any(String), undone: 1, left: [left], leftCount: 1 });
    expect(await programOf(id)).toEqual({
      name: 'Theirs',
      duration: '4 Years',
      code: null,
      attributes: [{ key: 'level', value: 'Diploma' }],
      version: 6,
    });
  });

  it('names nobody once ten changes of other fields have come since: there may be any number', async () => {
    const { id } = await server.make.program();
    const { changeId } = await update('updatePrograms', [id], { name: 'Astronomy' });
    await update('updatePrograms', [id], { name: 'Theirs' });
    for (let later = 0; later < 9; later += 1) await update('updatePrograms', [id], { duration: `${later} Years` });
    const messageOf = async () => (await undo(changeId)).left[0]?.message;
    expect(await messageOf()).toBe(`Program ${id} has been changed since by admin: name.`);
    await update('updatePrograms', [id], { duration: '10 Years' });
    expect(await messageOf()).toBe(`Program ${id} has been changed since by somebody: name.`);
  });

  it('waits for a change of another field that is being made, which stays', async () => {
    const { id } = await server.make.program();
    const { changeId } = await update('updatePrograms', [id], { name: 'Astronomy' });
    const other = await clientForTest(server.database.url);
    await other.query(`BEGIN; UPDATE programs SET duration = '5 Years' WHERE id = ${id}`);
    const undone = undo(changeId);
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => server.database.query(blocked), { interval: 5 }).toHaveLength(1);
    await other.query('COMMIT');

    expect(await undone).toMatchObject({ undone: 1, leftCount: 0 });
    expect(await programOf(id)).toMatchObject({ name: 'Physics', duration: '5 Years' });
  });

  it('leaves a creation of which a field has changed since', async () => {
    const { body } = await server.graphql(
      'mutation { createProgram(input: { name: "New", duration: "1 Year" }) { id } }',
    );
    const { id } = body.data.createProgram;
    const created = await bulkOf(server).latestChange();
    const renamed = await update('updatePrograms', [id], { name: 'Newer' });
    expect(await undo(created)).toMatchObject({
      undone: 0,
      left: [{ message: `Program ${id} has been changed since by admin.` }],
    });
    await undo(renamed.changeId);
    expect(await undo(created)).toMatchObject({ undone: 1, leftCount: 0 });
  });

  it('leaves a record that would have too many attributes', async () => {
    const { id } = await server.make.program();
    const keys = (first: number, count: number, value: string | null) =>
      attributes(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${first + index}`, value])));
    await update('updatePrograms', [id], { attributes: keys(0, 50, 'x') });
    const { changeId } = await update('updatePrograms', [id], { attributes: keys(0, 1, null) });
    await update('updatePrograms', [id], { attributes: keys(50, 1, 'x') });
    expect(await undo(changeId)).toMatchObject({
      undone: 0,
      left: [{ id, code: 'VALIDATION_FAILED', message: `Program ${id} would have more than 50 attributes.` }],
    });
  });

  it('says beforehand what it would do, and changes nothing', async () => {
    const program = await server.make.program({ name: 'Physics' });
    const branch = await server.make.branch(program.id, { name: 'Optics', years: 3 });
    const { changeId } = await update('updateBranches', [branch.id], { name: 'Lasers', years: 2 });
    await update('updateBranches', [branch.id], { name: 'Theirs' });

    const { body } = await server.graphql(
      `mutation { undoChange(changeId: "${changeId}", dryRun: true) {
        changeId undone leftCount left { name rule details }
        changes { kind recordId action name programId programName fields { field label before after } }
      } }`,
    );
    expect(body).toEqual({
      data: {
        undoChange: {
          changeId: null,
          undone: 1,
          leftCount: 1,
          left: [
            {
              name: 'Theirs',
              rule: 'FIELDS_CHANGED_SINCE',
              details: { kind: 'Branch', id: branch.id, fields: 'name', actor: 'admin' },
            },
          ],
          changes: [
            {
              kind: 'BRANCH',
              recordId: branch.id,
              action: 'UPDATE',
              name: 'Theirs',
              programId: program.id,
              programName: 'Physics',
              fields: [{ field: 'years', label: null, before: 2, after: 3 }],
            },
          ],
        },
      },
    });
    const years = await server.database.query('SELECT FROM branch_years WHERE branch_id = $1', [branch.id]);
    expect(years).toHaveLength(2);
  });
});

it('the names of fields are the same in SQL and TypeScript', async () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '.', 'ü') }),
    fc.nat(),
    fc.boolean(),
    fc.constant(null),
  );
  const name = fc.constantFrom('name', 'years', 'code', 'attributes.x', 'a.b');
  const snapshots = fc.array(
    fc
      .record({
        fields: fc.dictionary(name, value),
        attributes: fc.option(fc.dictionary(name, value), { nil: undefined }),
      })
      .map(({ fields, attributes: own }) => ({ ...fields, ...(own !== undefined && { attributes: own }) })),
    { minLength: 1 },
  );
  await fc.assert(
    fc.asyncProperty(snapshots, async (given) => {
      const rows = await server.database.query(
        'SELECT flat_snapshot(snapshot) AS flat FROM jsonb_array_elements($1::jsonb) AS snapshot',
        [JSON.stringify(given)],
      );
      expect(rows.map(({ flat }) => flat)).toEqual(given.map((one) => Object.fromEntries(flatSnapshot(one))));
    }),
    { numRuns: 20 },
  );
});

// ----- Changes of random fields by two people, and undos of any change in any order, beside a plain model.

type Values = Readonly<Record<string, string | number | null>>;
interface Entry {
  readonly before: Values | null;
  readonly after: Values | null;
}
/** A record by the names of its fields; no attribute is absent. */
interface Modelled {
  readonly values: Values;
  readonly isThere: boolean;
}

const differing = (one: Values, other: Values): string[] =>
  Object.keys(one).filter((field) => one[field] !== other[field]);

/** What becomes of a record when a change is undone; the names of fields that stay, `record` for all of it. */
function undoneIn(
  { values, isThere }: Modelled,
  { before, after }: Entry,
): { readonly next: Modelled; readonly left: string[] } {
  if (before === null || after === null) {
    const noted = after ?? before ?? {};
    if (isThere !== (after !== null) || differing(noted, values).length > 0) {
      return { next: { values, isThere }, left: ['record'] };
    }
    return { next: { values, isThere: !isThere }, left: [] };
  }
  if (!isThere) return { next: { values, isThere }, left: ['record'] };
  const next = { ...values };
  const left = [];
  for (const field of differing(before, after)) {
    if (values[field] === after[field]) next[field] = before[field] ?? null;
    else if (values[field] !== before[field]) left.push(field);
  }
  return { next: { values: next, isThere }, left: left.sort() };
}

const given = fc.record(
  {
    name: fc.constantFrom('A', 'B'),
    code: fc.constantFrom('X', null),
    description: fc.constantFrom('', 'D'),
    years: fc.integer({ min: 1, max: 3 }),
    codePrefix: fc.constantFrom('', 'P'),
    programId: fc.nat(2),
    'attributes.level': fc.constantFrom('1', '2', null),
    'attributes.at.night': fc.constantFrom('yes', null),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('update' as const),
      person: fc.nat(1),
      of: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
      given,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom('deleteBranches' as const, 'restoreBranches' as const),
      of: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('undo' as const), person: fc.nat(1), place: fc.nat(30) }) },
);

it('two people change random fields and undo any change, in any order: each field is as a plain model says', async () => {
  const people = ['ada', 'zeno'] as const;
  const keys = await Promise.all(people.map((user) => server.makeKey({ role: 'editor', user })));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const programs = await Promise.all([0, 1, 2].map(() => server.make.program()));
      const programId = programs[0]?.id ?? 0;
      const branches = await Promise.all(
        [0, 1, 2, 3].map(() => server.make.branch(programId, { name: 'Optics', years: 2 })),
      );
      const ids = branches.map(({ id }) => id).sort((a, b) => a - b);
      const initial = {
        name: 'Optics',
        code: null,
        description: '',
        years: 2,
        codePrefix: '',
        programId,
        'attributes.level': null,
        'attributes.at.night': null,
      };
      const model: Modelled[] = ids.map(() => ({ values: initial, isThere: true }));
      const log: {
        readonly changeId: string;
        readonly actor: string | undefined;
        readonly entries: ReadonlyMap<number, Entry>;
      }[] = [];
      const note = (actor: string | undefined, changeId: string | null, nexts: ReadonlyMap<number, Modelled>) => {
        const entries = new Map<number, Entry>();
        for (const [place, next] of nexts) {
          const { values, isThere } = model[place] ?? next;
          model[place] = next;
          const entry = { before: isThere ? values : null, after: next.isThere ? next.values : null };
          if (isThere !== next.isThere || differing(values, next.values).length > 0) entries.set(place, entry);
        }
        expect(changeId !== null).toBe(entries.size > 0);
        if (changeId !== null) log.push({ changeId, actor, entries });
      };
      /** Who has changed one of these fields last. */
      const lastActor = (place: number, fields: readonly string[]) =>
        log.findLast(({ entries }) => {
          const entry = entries.get(place);
          if (entry === undefined || fields[0] === 'record') return entry !== undefined;
          const { before, after } = entry;
          return before !== null && after !== null && fields.some((field) => before[field] !== after[field]);
        })?.actor;
      const modelled = (place: number): Modelled => model[place] ?? { values: initial, isThere: true };

      for (const one of steps) {
        if (one.what === 'undo') {
          const undone = log[one.place % Math.max(log.length, 1)];
          if (undone === undefined) continue;
          const outcomes = [...undone.entries].map(([place, entry]) => ({
            place,
            ...undoneIn(modelled(place), entry),
          }));
          const { body } = await server.graphql(
            `mutation { undoChange(changeId: "${undone.changeId}") { changeId left { id details } leftCount } }`,
            {},
            keys[one.person],
          );
          const { changeId, left, leftCount } = body.data.undoChange;
          const leftOnes = outcomes.filter((outcome) => outcome.left.length > 0);
          expect(left).toEqual(
            leftOnes
              .map(({ place, left: fields }) => ({
                id: ids[place],
                details: {
                  kind: 'Branch',
                  id: ids[place],
                  ...(fields[0] !== 'record' && { fields: fields.join(', ') }),
                  actor: lastActor(place, fields),
                },
              }))
              .sort((a, b) => Number(a.id) - Number(b.id)),
          );
          expect(leftCount).toBe(leftOnes.length);
          note(people[one.person], changeId, new Map(outcomes.map(({ place, next }) => [place, next])));
        } else if (one.what === 'update') {
          const present = one.of.filter((place) => modelled(place).isThere);
          if (present.length === 0 || Object.keys(one.given).length === 0) continue;
          const { programId: moved, ...fields } = one.given;
          const target = moved === undefined ? {} : { programId: programs[moved]?.id ?? 0 };
          const plain = Object.entries(fields).filter(([field]) => !field.startsWith('attributes.'));
          const named = Object.entries(fields).filter(([field]) => field.startsWith('attributes.'));
          const input = {
            ...Object.fromEntries(plain),
            ...target,
            attributes: named.map(([field, value]) => ({ key: field.slice('attributes.'.length), value })),
          };
          const { body } = await server.graphql(
            `mutation ($ids: [Int!]!, $input: UpdateBranchesInput!) { updateBranches(ids: $ids, input: $input) { changeId } }`,
            { ids: present.map((place) => ids[place]), input },
            keys[one.person],
          );
          const values = { ...fields, ...target };
          note(
            people[one.person],
            body.data.updateBranches.changeId,
            new Map(
              present.map((place) => [place, { isThere: true, values: { ...modelled(place).values, ...values } }]),
            ),
          );
        } else {
          const isThere = one.what === 'restoreBranches';
          const of = isThere ? one.of : one.of.filter((place) => modelled(place).isThere);
          if (of.length === 0) continue;
          const { changeId } = await many(
            one.what,
            of.map((place) => ids[place] ?? 0),
          );
          note('admin', changeId, new Map(of.map((place) => [place, { ...modelled(place), isThere }])));
        }
      }
      const rows = await server.database.query(
        `SELECT name, code, description, code_prefix AS "codePrefix", program_id AS "programId", attributes, deleted_at IS NULL AS "isThere",
          (SELECT count(*)::int FROM branch_years WHERE branch_id = branches.id) AS years
        FROM branches WHERE id = ANY ($1) ORDER BY id`,
        [ids],
      );
      const found = rows.map(({ isThere, ...values }) => ({
        isThere,
        values: { 'attributes.level': null, 'attributes.at.night': null, ...Object.fromEntries(flatSnapshot(values)) },
      }));
      expect(found).toEqual(model);
    }),
    { numRuns: inject('thorough') ? 40 : 6 },
  );
}, 240_000);
