import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const make = factoriesFor(server);

const mutate = async (field: string) => (await server.graphql(`mutation { ${field} { id } }`)).body;
const createBranch = (programId: number) =>
  server.rest('post', '/api/academics/branches').send({ programId, name: 'Optics', years: 1 });

/** Creates a branch, in a transaction that stays open until `release`, by an `Idempotency-Key` that cannot be stored. */
async function createSlowly(programId: number) {
  const { waitUntilBlocking, release } = await lockTable(server.database, 'idempotency_records');
  const response = createBranch(programId).set('Idempotency-Key', `slow-${programId}`).then();
  await waitUntilBlocking();
  return {
    commit: async () => {
      await release();
      return response;
    },
  };
}

const waitForBlocked = (count: number) =>
  within(5_000, async () => {
    const blocked = await server.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(blocked).toHaveLength(count);
  });

it('a program is updated while the creation of a branch of it is in flight', async () => {
  const { id } = await make.program();
  const slow = await createSlowly(id);

  expect(await mutate(`updateProgram(id: ${id}, input: { name: "Chemistry" })`)).toEqual({
    data: { updateProgram: { id } },
  });
  expect((await slow.commit()).status).toBe(201);
});

it('a branch is restored and another one moved while the creation of a branch of the program is in flight', async () => {
  const [{ id }, other] = [await make.program(), await make.program()];
  const [deleted, moved] = [await make.branch(id), await make.branch(other.id)];
  await mutate(`deleteBranch(id: ${deleted.id})`);
  const slow = await createSlowly(id);

  expect(await mutate(`restoreBranch(id: ${deleted.id})`)).toEqual({ data: { restoreBranch: deleted } });
  expect(await mutate(`updateBranch(id: ${moved.id}, input: { programId: ${id} })`)).toEqual({
    data: { updateBranch: moved },
  });
  expect((await slow.commit()).status).toBe(201);
});

it('the deletion of a program waits for branches in flight only, not for those that are created later', async () => {
  const { id } = await make.program();
  const slow = await createSlowly(id);
  const deletion = mutate(`deleteProgram(id: ${id})`);
  await waitForBlocked(2);
  const later = createBranch(id).then();
  const severalLater = mutate(`createBranches(items: [{ programId: ${id}, name: "Optics", years: 1 }])`);
  await waitForBlocked(4);
  const first = await slow.commit();

  expect(first.status).toBe(201);
  expect(await deletion).toEqual({ data: { deleteProgram: { id } } });
  expect((await later).body).toEqual({ message: `Program ${id} does not exist.` });
  expect((await severalLater).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(await server.database.query(`SELECT FROM branches WHERE program_id = ${id} AND deleted_at IS NULL`)).toEqual(
    [],
  );
});
