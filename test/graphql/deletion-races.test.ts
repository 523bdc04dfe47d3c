import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const rounds = 25;

let server: TestServer;
let make: ReturnType<typeof factoriesFor>;
beforeAll(async () => {
  server = await startTestServer();
  make = factoriesFor(server);
});
afterAll(() => server.close());

const mutate = async (field: string) => (await server.graphql(`mutation { ${field} { id } }`)).body;
const inRounds = async (round: () => Promise<void>) => {
  for (let count = 0; count < rounds; count += 1) await round();
};
/** Branches that can be read although their program cannot. */
const orphans = () =>
  server.database.query(
    `SELECT branches.id FROM branches JOIN programs ON programs.id = program_id
     WHERE branches.deleted_at IS NULL AND programs.deleted_at IS NOT NULL`,
  );

describe('a program that is deleted', () => {
  it('has no branch that was created meanwhile, on either surface', async () => {
    await inRounds(async () => {
      const { id } = await make.program();
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => mutate(`createBranch(input: { programId: ${id}, name: "B", years: 2 })`)),
        mutate(`deleteProgram(id: ${id})`),
        ...Array.from({ length: 4 }, async () => {
          const fields = { programId: id, name: 'B', years: 2 };
          return (await server.rest('post', '/api/academics/branches').send(fields)).body;
        }),
      ]);
      for (const answer of answers) {
        const message = answer.errors?.[0].message ?? answer.message;
        if (message !== undefined) expect(message).toBe(`Program ${id} does not exist.`);
      }
      expect(answers[4]).toEqual({ data: { deleteProgram: { id } } });
    });
    expect(await orphans()).toEqual([]);
  });

  it('has no branch that was restored meanwhile', async () => {
    await inRounds(async () => {
      const { id } = await make.program();
      const branch = await make.branch(id);
      await mutate(`deleteBranch(id: ${branch.id})`);
      await Promise.all([mutate(`restoreBranch(id: ${branch.id})`), mutate(`deleteProgram(id: ${id})`)]);
    });
    expect(await orphans()).toEqual([]);
  });

  it('does not bring back a branch that was deleted by itself meanwhile', async () => {
    await inRounds(async () => {
      const { id } = await make.program();
      const branch = await make.branch(id);
      const [deletion] = await Promise.all([
        mutate(`deleteBranch(id: ${branch.id})`),
        mutate(`deleteProgram(id: ${id})`),
      ]);
      await mutate(`restoreProgram(id: ${id})`);

      const { body } = await server.graphql(`{ program(id: ${id}) { branches { id } } }`);
      const wentAlone = deletion.errors === undefined;
      expect(body.data.program.branches).toEqual(wentAlone ? [] : [branch]);
    });
  });

  it('is deleted once, however many ask', async () => {
    await inRounds(async () => {
      const { id } = await make.program();
      await make.branch(id);
      const answers = await Promise.all(Array.from({ length: 5 }, () => mutate(`deleteProgram(id: ${id})`)));
      expect(answers.filter((answer) => answer.errors === undefined)).toHaveLength(1);
    });
  });
});
