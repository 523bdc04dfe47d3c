import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
let program: number;
beforeAll(async () => {
  program = (await server.make.program()).id;
});

const cursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');
const tooLarge = [2_147_483_648, 1_099_511_627_776, Number.MAX_SAFE_INTEGER, 1e300, -1, 1.5];
const now = '2026-11-21T09:30:00.000Z';

/** The problems by field of the only error. */
async function problemsOf(query: string, variables: object): Promise<unknown> {
  const { body } = await server.graphql(query, variables);
  expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
  return body.errors[0].extensions.errors;
}

describe('a forged cursor', () => {
  const rejected = { after: ['after must be a cursor that this list has returned.'] };

  it.each<[string, readonly unknown[]]>([
    ['ID_ASC', [...tooLarge.map((id) => ['id', id]), ['id'], ['id', '1'], [], {}, null, 1]],
    ['NAME_DESC', [...tooLarge.map((id) => ['name', 'Physics', id]), ['name', '\0', 1], ['name', 1, 1]]],
    [
      'CREATED_ASC',
      [
        ...tooLarge.map((id) => ['created_at', now, id]),
        ...['', 'now', 'infinity', '\0', '0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z'].map((text) => [
          'created_at',
          text,
          1,
        ]),
      ],
    ],
  ])('is rejected in a list of programs ordered by %s', async (order, positions) => {
    const query = `query ($after: String) { programsConnection(after: $after, orderBy: ${order}) { nodes { id } } }`;
    for (const position of positions) expect(await problemsOf(query, { after: cursor(position) })).toEqual(rejected);
  });

  it('is rejected in a list of branches and in the audit log', async () => {
    const branches = `query ($after: String) { program(id: ${program}) { branchesConnection(after: $after) { nodes { id } } } }`;
    const entries = 'query ($after: String) { auditLog(after: $after) { nodes { id } } }';
    for (const id of tooLarge) expect(await problemsOf(branches, { after: cursor(id) })).toEqual(rejected);
    // The log has more entries than 32-bit ids.
    for (const id of [2 ** 53, 1e300, -1, 1.5])
      expect(await problemsOf(entries, { after: cursor(id) })).toEqual(rejected);
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
