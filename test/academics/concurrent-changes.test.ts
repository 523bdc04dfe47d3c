import { lockTable } from '@service/postgres/testing/table-lock';
import { describe, expect, inject, it } from 'vitest';
import { within } from '../support/running-time.ts';
import { useSharedServer } from '../support/server.ts';

const rounds = inject('thorough') ? 12 : 4;

const server = useSharedServer();

const mutate = async (field: string) => (await server.graphql(`mutation { ${field} { id } }`)).body;
const inRounds = async (round: () => Promise<void>) => {
  for (let count = 0; count < rounds; count += 1) await round();
};
/** Branches that are not deleted although their program is. */
const orphans = () =>
  server.database.query(
    `SELECT branches.id FROM branches JOIN programs ON programs.id = program_id
     WHERE branches.deleted_at IS NULL AND programs.deleted_at IS NOT NULL`,
  );

describe('a program that is deleted', () => {
  it('is left with no branch that is created concurrently, over REST or GraphQL, alone or with others', async () => {
    await inRounds(async () => {
      const { id } = await server.make.program();
      const fields = `{ programId: ${id}, name: "B", years: 2 }`;
      const createMany = () => mutate(`createBranches(items: [${fields}, ${fields}])`);
      const responses = await Promise.all([
        createMany(),
        ...Array.from({ length: 3 }, () => mutate(`createBranch(input: ${fields})`)),
        mutate(`deleteProgram(id: ${id})`),
        createMany(),
        ...Array.from({ length: 4 }, async () => {
          const fields = { programId: id, name: 'B', years: 2 };
          return (await server.rest('post', '/api/academics/branches').send(fields)).body;
        }),
      ]);
      for (const response of responses) {
        const message = response.errors?.[0].message ?? response.message;
        if (message !== undefined) expect(message).toBe(`Program ${id} does not exist.`);
      }
      expect(responses[4]).toEqual({ data: { deleteProgram: { id } } });
    });
    expect(await orphans()).toEqual([]);
  });

  it('is left with no branch that is restored concurrently', async () => {
    await inRounds(async () => {
      const { id } = await server.make.program();
      const branch = await server.make.branch(id);
      await mutate(`deleteBranch(id: ${branch.id})`);
      await Promise.all([mutate(`restoreBranch(id: ${branch.id})`), mutate(`deleteProgram(id: ${id})`)]);
    });
    expect(await orphans()).toEqual([]);
  });

  it('is left with no branch that is moved concurrently, to it or from it', async () => {
    await inRounds(async () => {
      const [one, other] = [await server.make.program(), await server.make.program()];
      const [coming, going] = [await server.make.branch(other.id), await server.make.branch(one.id)];
      const [deletion, ...moves] = await Promise.all([
        mutate(`deleteProgram(id: ${one.id})`),
        mutate(`updateBranch(id: ${coming.id}, input: { programId: ${one.id} })`),
        mutate(`updateBranch(id: ${going.id}, input: { programId: ${other.id} })`),
      ]);
      expect(deletion.errors).toBeUndefined();
      for (const { errors = [] } of moves) {
        for (const { message } of errors) expect(message).toMatch(/^(?:Program|Branch) \d+ does not exist\.$/);
      }
    });
    expect(await orphans()).toEqual([]);
  });

  it('does not restore a branch that was deleted by itself concurrently', async () => {
    await inRounds(async () => {
      const { id } = await server.make.program();
      const branch = await server.make.branch(id);
      const [deletion] = await Promise.all([
        mutate(`deleteBranch(id: ${branch.id})`),
        mutate(`deleteProgram(id: ${id})`),
      ]);
      await mutate(`restoreProgram(id: ${id})`);

      const { body } = await server.graphql(`{ program(id: ${id}) { branches { id } } }`);
      const deletedFirst = deletion.errors === undefined;
      expect(body.data.program.branches).toEqual(deletedFirst ? [] : [branch]);
    });
  });

  it('is deleted by exactly one of five concurrent mutations', async () => {
    await inRounds(async () => {
      const { id } = await server.make.program();
      await server.make.branch(id);
      const responses = await Promise.all(Array.from({ length: 5 }, () => mutate(`deleteProgram(id: ${id})`)));
      expect(responses.filter((response) => response.errors === undefined)).toHaveLength(1);
    });
  });
});

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
