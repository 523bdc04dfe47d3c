import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
let program: number;
beforeAll(async () => {
  program = (await server.make.program()).id;
});

const cursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** The problems by field of the only error. */
async function problemsOf(query: string, variables: object): Promise<unknown> {
  const { body } = await server.graphql(query, variables);
  expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
  return body.errors[0].extensions.errors;
}

describe('a forged cursor', () => {
  const rejected = { after: ['after must be a cursor that this list has returned.'] };

  it('is rejected by every list, whatever its order', async () => {
    const listed = (order: string) =>
      `query ($after: String) { programsConnection(after: $after, orderBy: ${order}) { nodes { id } } }`;
    const branches = `query ($after: String) { program(id: ${program}) { branchesConnection(after: $after) { nodes { id } } } }`;
    const entries = 'query ($after: String) { auditLog(after: $after) { nodes { id } } }';
    for (const [query, position] of [
      [listed('ID_ASC'), ['id', 2_147_483_648]],
      [listed('NAME_DESC'), ['name', '\0', 1]],
      [listed('CREATED_ASC'), ['created_at', 'infinity', 1]],
      [branches, 2_147_483_648],
      // The log has more entries than 32-bit ids.
      [entries, 2 ** 53],
    ] as const) {
      expect(await problemsOf(query, { after: cursor(position) })).toEqual(rejected);
    }
  });
});

describe('an invalid text filter', () => {
  it.each([
    ['search', 'a\0b', 'search must not contain the NUL character.'],
    ['duration', '\ud800', 'duration must be well-formed Unicode: it has half of a surrogate pair.'],
  ])('is rejected by every list of programs: %s %j', async (field, text, problem) => {
    const problems = { [field]: [problem] };
    for (const list of ['programs(filter: $filter) { count }', 'programsConnection(filter: $filter) { totalCount }']) {
      const found = await problemsOf(`query ($filter: ProgramFilter) { ${list} }`, { filter: { [field]: text } });
      expect(Object.values(Object(found))).toEqual(Object.values(problems));
    }
  });
});
