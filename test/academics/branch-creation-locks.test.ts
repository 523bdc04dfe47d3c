import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it } from 'vitest';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const mutate = async (field: string) => (await server.graphql(`mutation { ${field} { id } }`)).body;
const createBranch = (programId: number) =>
  server.rest('post', '/api/academics/branches').send({ programId, name: 'Optics', years: 1 });

/** On a busy machine a lock may be waited for longer than is allowed: then a test begins again, with other records. */
const undisturbed = (test: () => Promise<void>) => within(20_000, test);

/**
 * Does something while the creation of a branch is in flight, by an `Idempotency-Key` that cannot be stored, and expects
 * that the branch is created then.
 */
async function whileCreating(programId: number, work: () => Promise<void>): Promise<void> {
  const { waitUntilBlocking, release } = await lockTable(server.database, 'idempotency_records');
  const response = createBranch(programId).set('Idempotency-Key', `slow-${programId}`).then();
  try {
    await waitUntilBlocking();
    await work();
  } finally {
    await release();
    await response;
  }
  expect((await response).status).toBe(201);
}

const waitForBlocked = (count: number) =>
  within(1_000, async () => {
    const blocked = await server.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(blocked).toHaveLength(count);
  });

it('a program is updated while the creation of a branch of it is in flight', () =>
  undisturbed(async () => {
    const { id } = await server.make.program();

    await whileCreating(id, async () =>
      expect(await mutate(`updateProgram(id: ${id}, input: { name: "Chemistry" })`)).toEqual({
        data: { updateProgram: { id } },
      }),
    );
  }));

it('a branch is restored and another one moved while the creation of a branch of the program is in flight', () =>
  undisturbed(async () => {
    const [{ id }, other] = [await server.make.program(), await server.make.program()];
    const [deleted, moved] = [await server.make.branch(id), await server.make.branch(other.id)];
    await mutate(`deleteBranch(id: ${deleted.id})`);

    await whileCreating(id, async () => {
      expect(await mutate(`restoreBranch(id: ${deleted.id})`)).toEqual({ data: { restoreBranch: deleted } });
      const { data } = await mutate(`updateBranch(id: ${moved.id}, input: { programId: ${id} })`);
      expect(data).toEqual({ updateBranch: moved });
    });
  }));

it('the deletion of a program waits for branches in flight only, not for those that are created later', () =>
  undisturbed(async () => {
    const { id } = await server.make.program();
    const responses: Promise<unknown>[] = [];
    await whileCreating(id, async () => {
      responses.push(mutate(`deleteProgram(id: ${id})`));
      await waitForBlocked(2);
      responses.push(createBranch(id).then(({ body }) => body));
      responses.push(mutate(`createBranches(items: [{ programId: ${id}, name: "Optics", years: 1 }])`));
      await waitForBlocked(4);
    });

    expect(await Promise.all(responses)).toEqual([
      { data: { deleteProgram: { id } } },
      { message: `Program ${id} does not exist.` },
      expect.objectContaining({
        errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'NOT_FOUND' }) })],
      }),
    ]);
    expect(await server.database.query(`SELECT FROM branches WHERE program_id = ${id} AND deleted_at IS NULL`)).toEqual(
      [],
    );
  }));
