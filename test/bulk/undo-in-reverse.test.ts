import fc from 'fast-check';
import { inject, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { bulkOf, catalogOf } from './mutations.ts';

const server = useSharedServer();
const { many, update, undo, latestChange } = bulkOf(server);

const ids = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 });
const programUpdate = fc.record(
  { name: fc.constantFrom('A', 'B'), duration: fc.constantFrom('1 Year', '2 Years'), code: fc.constantFrom('X', null) },
  { requiredKeys: [] },
);
const branchUpdate = fc.record(
  {
    programId: fc.nat(5),
    years: fc.integer({ min: 1, max: 4 }),
    codePrefix: fc.constantFrom('', 'P'),
    codeIsNumeric: fc.boolean(),
    description: fc.constantFrom('', 'D'),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  fc.record({ field: fc.constant('updatePrograms' as const), ids, input: programUpdate }),
  fc.record({ field: fc.constant('updateBranches' as const), ids, input: branchUpdate }),
  fc.record({
    field: fc.constantFrom('deletePrograms', 'deleteBranches', 'restorePrograms', 'restoreBranches'),
    ids,
  }),
  fc.record({ field: fc.constant('createBranch'), ids }),
  fc.record({ field: fc.constant('undo') }),
);

it('is as before when all changes are undone, the latest first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const programs = await server.database.query(
        `INSERT INTO programs (name, duration) SELECT 'Physics', '4 Years' FROM generate_series(1, 6) RETURNING id`,
      );
      const branches = await server.database.query(
        `INSERT INTO branches (program_id, name) SELECT unnest($1::int[]), 'Optics' RETURNING id`,
        [programs.map(({ id }) => id)],
      );
      await server.database.query(
        `INSERT INTO branch_years (branch_id, year, code) SELECT id, year, year FROM unnest($1::int[]) AS id, generate_series(1, 3) AS year`,
        [branches.map(({ id }) => id)],
      );
      const programIds = (of: readonly number[]) => of.map((index) => Number(programs[index]?.['id']));
      const branchIds = (of: readonly number[]) => of.map((index) => Number(branches[index]?.['id']));
      const before = await catalogOf(server);
      const created: number[] = [];
      const changes: string[] = [];
      const add = ({ changeId }: { readonly changeId: string | null }) => changeId && changes.push(changeId);
      for (const one of steps) {
        if (!('ids' in one)) {
          const latest = changes.at(-1);
          if (latest !== undefined) add(await undo(latest));
        } else if (one.field === 'createBranch') {
          const branch = await server.make.branch(programIds(one.ids)[0] ?? 0).catch(() => undefined);
          if (branch === undefined) continue;
          created.push(branch.id);
          changes.push(await latestChange());
        } else if ('input' in one && one.field === 'updateBranches') {
          const { programId, ...input } = one.input;
          const target = programId === undefined ? {} : { programId: programIds([programId])[0] };
          await update(one.field, branchIds(one.ids), { ...input, ...target }).then(add, () => undefined);
        } else if ('input' in one) {
          add(await update('updatePrograms', programIds(one.ids), one.input));
        } else {
          add(await many(one.field, one.field.endsWith('Programs') ? programIds(one.ids) : branchIds(one.ids)));
        }
      }
      for (const changeId of changes.toReversed()) {
        const { leftCount } = await undo(changeId);
        if (leftCount > 0) throw new Error(`${leftCount} records of ${changeId} were left.`);
      }
      const { branches: found, ...rest } = await catalogOf(server);
      const isCreated = ({ id }: Record<string, unknown>) => created.includes(Number(id));
      if (found.some((row) => isCreated(row) && row['is_there'] === true)) throw new Error('A branch is still there.');
      expectEqual({ ...rest, branches: found.filter((row) => !isCreated(row)) }, before);
    }),
    { numRuns: inject('thorough') ? 15 : 5 },
  );
}, 240_000);

function expectEqual(found: object, wanted: object): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`The catalog differs: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  }
}
