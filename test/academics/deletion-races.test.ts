import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const rounds = 8;

const server = useServer();

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
