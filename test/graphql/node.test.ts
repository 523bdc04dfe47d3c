import { type GraphQLObjectType, type GraphQLSchema, isObjectType, parse, validate } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema as builtSchema } from '../../src/doors/graphql/schema.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const schema: GraphQLSchema = builtSchema;
const types = ['ApiKey', 'AuditEntry', 'Branch', 'BranchYear', 'Note', 'Program', 'User'];

const server = useSharedServer();
/** The `nodeId` of a record of each type. */
let nodeIds: Record<string, string>;
let program: number;
let branch: number;
beforeAll(async () => {
  program = (await server.make.program({ name: 'Physics' })).id;
  branch = (await server.make.branch(program, { name: 'Optics', codePrefix: 'L' })).id;
  await server.graphql(`mutation { addNote(input: { programId: ${program}, text: "Check" }) { id } }`);
  const { body } = await server.graphql(`{
    notes { nodes { nodeId } }
    program(id: ${program}) { nodeId branches { nodeId years { nodeId } } }
    users { nodeId keys { nodeId } }
    auditLog(first: 1) { nodes { nodeId } }
  }`);
  nodeIds = {
    Program: body.data.program.nodeId,
    Branch: body.data.program.branches[0].nodeId,
    BranchYear: body.data.program.branches[0].years[1].nodeId,
    Note: body.data.notes.nodes[0].nodeId,
    User: body.data.users[0].nodeId,
    ApiKey: body.data.users[0].keys[0].nodeId,
    AuditEntry: body.data.auditLog.nodes[0].nodeId,
  };
});

const encode = (text: string) => Buffer.from(text).toString('base64url');
const query = `query ($nodeIds: [ID!]!) {
  nodes(nodeIds: $nodeIds) {
    __typename
    nodeId
    ... on Program { id name branches { nodeId } }
    ... on Branch { id name program { nodeId name } }
    ... on BranchYear { id code year }
    ... on Note { text }
    ... on User { name role keys { nodeId } }
    ... on ApiKey { name state user { nodeId name } }
    ... on AuditEntry { actor action subject }
  }
}`;
const nodes = async (ids: readonly (string | undefined)[], key = adminKey) =>
  (await server.graphql(query, { nodeIds: ids }, key)).body;
const errorsOf = ({ errors = [] }: { errors?: { path: unknown; message: string; extensions: { code: string } }[] }) =>
  errors.map(({ path, message, extensions }) => [path, message, extensions.code]);

describe('Query.nodes', () => {
  it('returns records of every type by their nodeIds, in this order', async () => {
    const ids = types.toReversed().map((type) => nodeIds[type]);
    const { data, errors } = await nodes([...ids, nodeIds['Program']]);
    expect(errors).toBeUndefined();
    const { Program, Branch, BranchYear, Note, User, ApiKey, AuditEntry } = nodeIds;
    const physics = {
      __typename: 'Program',
      nodeId: Program,
      id: program,
      name: 'Physics',
      branches: [{ nodeId: Branch }],
    };
    expect(data.nodes).toEqual([
      { __typename: 'User', nodeId: User, name: 'admin', role: 'ADMIN', keys: [{ nodeId: ApiKey }] },
      physics,
      { __typename: 'Note', nodeId: Note, text: 'Check' },
      { __typename: 'BranchYear', nodeId: BranchYear, id: expect.any(Number), code: 'L2', year: 2 },
      {
        __typename: 'Branch',
        nodeId: Branch,
        id: branch,
        name: 'Optics',
        program: { nodeId: Program, name: 'Physics' },
      },
      expect.objectContaining({ __typename: 'AuditEntry', nodeId: AuditEntry, actor: 'admin' }),
      expect.objectContaining({ __typename: 'ApiKey', nodeId: ApiKey, user: { nodeId: User, name: 'admin' } }),
      physics,
    ]);
  });

  it('returns the same from the third time on, when the query is compiled', async () => {
    const ids = [...Object.values(nodeIds), encode('Program:99999')];
    const first = await nodes(ids);
    for (let time = 0; time < 4; time += 1) expect(await nodes(ids)).toEqual(first);
  });

  it('reads all records of one type in one statement, whatever fields and aliases select them', async () => {
    const branches = await Promise.all([server.make.branch(program), server.make.branch(program)]);
    const ids = branches.map(({ id }) => encode(`Branch:${id}`));
    server.statements.length = 0;
    const { body } = await server.graphql(
      `query ($ids: [ID!]!, $one: ID!) { nodes(nodeIds: $ids) { nodeId } a: node(nodeId: $one) { nodeId }
        b: nodes(nodeIds: $ids) { ... on Branch { name } } }`,
      { ids, one: nodeIds['Branch'] },
    );
    expect(body.errors).toBeUndefined();
    expect(server.statements).toHaveLength(1);
  });

  it('has null and an error for each record that does not exist or is deleted', async () => {
    const deleted = await server.make.branch(program);
    const { body } = await server.graphql(`{ branch(id: ${deleted.id}) { nodeId years { nodeId } } }`);
    const { nodeId, years } = body.data.branch;
    await server.graphql(`mutation { deleteBranch(id: ${deleted.id}) { id } }`);
    const missing = types.filter((type) => !type.startsWith('Branch')).map((type) => encode(`${type}:2147483647`));

    const answer = await nodes([nodeId, nodeIds['Branch'], years[0].nodeId, ...missing, encode('Program:0')]);

    expect(answer.data.nodes.map((node: object | null) => node !== null)).toEqual([
      false,
      true,
      ...Array(7).fill(false),
    ]);
    expect(errorsOf(answer)).toEqual([
      [['nodes', 0], `Branch ${deleted.id} does not exist.`, 'NOT_FOUND'],
      [['nodes', 2], `BranchYear ${deleted.id}:1 does not exist.`, 'NOT_FOUND'],
      [['nodes', 3], 'ApiKey 2147483647 does not exist.', 'NOT_FOUND'],
      [['nodes', 4], 'AuditEntry 2147483647 does not exist.', 'NOT_FOUND'],
      [['nodes', 5], 'Note 2147483647 does not exist.', 'NOT_FOUND'],
      [['nodes', 6], 'Program 2147483647 does not exist.', 'NOT_FOUND'],
      [['nodes', 7], 'User 2147483647 does not exist.', 'NOT_FOUND'],
      [['nodes', 8], 'Program 0 does not exist.', 'NOT_FOUND'],
    ]);
  });

  it.each([
    ['a guest', { role: 'guest' }, ['Branch', 'BranchYear']],
    ['a viewer', { role: 'viewer' }, ['Branch', 'BranchYear', 'Note', 'Program']],
    ['an editor', { role: 'editor' }, ['Branch', 'BranchYear', 'Note', 'Program']],
    ['an administrator', { role: 'admin' }, types],
  ] as const)('shows %s the records of the types that they may read', async (_who, fields, readable) => {
    const key = await server.makeKey(fields);
    const text = 'query ($ids: [ID!]!) { nodes(nodeIds: $ids) { __typename } }';
    const { body } = await server.graphql(text, { ids: types.map((type) => nodeIds[type]) }, key);
    expect(body.data.nodes).toEqual(
      types.map((type) => (readable.some((name) => name === type) ? { __typename: type } : null)),
    );
    expect(errorsOf(body)).toEqual(
      types.flatMap((type, index) => {
        const permission = type === 'Program' || type === 'Note' ? 'programs:read' : 'admin';
        const error = [['nodes', index], `You need the permission ${permission}.`, 'FORBIDDEN'];
        return readable.some((name) => name === type) ? [] : [error];
      }),
    );
  });

  it('does not reveal to a caller without the permission which records exist', async () => {
    const viewer = await server.makeKey({ role: 'viewer' });
    const { data, errors } = await nodes([nodeIds['User'], encode('User:99999')], viewer);
    expect(data.nodes).toEqual([null, null]);
    expect(new Set(errors.map(({ message }: { message: string }) => message)).size).toBe(1);
  });

  it('is for active users', async () => {
    const disabled = await server.makeKey({ user: 'gone', disabled: true });
    expect((await nodes([nodeIds['Branch']], disabled)).errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('rejects what is no nodeId, and more than 100', async () => {
    const invalid = await nodes([nodeIds['Branch'], 'Program:1', '1']);
    expect(invalid.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { nodeIds: ['each of nodeIds must be a nodeId that this API has returned.'] },
    });
    const many = await server.graphql('query ($ids: [ID!]!) { nodes(nodeIds: $ids) { nodeId } }', {
      ids: Array.from({ length: 101 }, () => 'x'),
    });
    expect(many.body.errors[0].extensions.errors).toEqual({ nodeIds: ['nodeIds must be at most 100.'] });
    expect((await nodes([])).data.nodes).toEqual([]);
  });

  it('costs as much as it has nodeIds', async () => {
    const years = Array.from({ length: 49 }, (_, index) => `y${index}: years { id code }`).join(' ');
    const text = `query ($ids: [ID!]!) { nodes(nodeIds: $ids) { ... on Branch { ${years} } } }`;
    const costFor = async (count: number) => {
      const ids = Array.from({ length: count }, () => nodeIds['Branch']);
      return (await server.graphql(text, { ids })).body.errors?.[0].message;
    };
    expect(await costFor(100)).toMatch(/^The request costs 102901, more than 60000/);
    expect(await costFor(10)).toBeUndefined();
  });
});

describe('Query.node', () => {
  it('returns one record', async () => {
    for (const type of types) {
      const text = 'query ($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId } }';
      const { body } = await server.graphql(text, { nodeId: nodeIds[type] });
      expect(body).toEqual({ data: { node: { __typename: type, nodeId: nodeIds[type] } } });
    }
  });

  it('is null with a NOT_FOUND error for a record that does not exist, and rejects what is no nodeId', async () => {
    const ask = async (nodeId: string) =>
      (await server.graphql('query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }', { nodeId })).body;
    const missing = await ask(encode('Branch:99999'));
    expect(missing.data).toEqual({ node: null });
    expect(errorsOf(missing)).toEqual([[['node'], 'Branch 99999 does not exist.', 'NOT_FOUND']]);
    expect((await ask('Branch:1')).errors[0].extensions.errors).toEqual({
      nodeId: ['nodeId must be a nodeId that this API has returned.'],
    });
  });

  it('shows a change at once', async () => {
    const { id } = await server.make.program({ name: 'First' });
    const name = async () =>
      (await server.graphql(`{ node(nodeId: "${encode(`Program:${id}`)}") { ... on Program { name } } }`)).body.data
        .node;
    expect(await name()).toEqual({ name: 'First' });
    await server.graphql(`mutation { updateProgram(id: ${id}, input: { name: "Second" }) { id } }`);
    expect(await name()).toEqual({ name: 'Second' });
  });
});

describe('nodeId', () => {
  it('costs no statement beside those of resolvers', async () => {
    server.statements.length = 0;
    await server.graphql('{ programs { items { nodeId name branches { nodeId years { nodeId } } } } }');
    const count = server.statements.length;
    server.statements.length = 0;
    await server.graphql('{ programs { items { title: name branches { name years { code } } } } }');
    expect(server.statements.length).toBe(count);
  });

  it('is in the results of mutations and subscriptions too', async () => {
    const { body } = await server.graphql(
      'mutation { createProgram(input: { name: "P", duration: "1" }) { id nodeId } }',
    );
    expect(body.data.createProgram.nodeId).toBe(encode(`Program:${body.data.createProgram.id}`));
  });
});

/** What Relay's compiler demands of a schema for `@refetchable`, with `nodeInterfaceIdField: "nodeId"`. */
describe("the schema for Relay's compiler", () => {
  // `test/editions` reads one.
  const all = [...types, 'Edition'];

  it('has nodeId on no other type, so that the compiler selects it for nodes alone', () => {
    const others = Object.values(schema.getTypeMap())
      .filter((type): type is GraphQLObjectType => isObjectType(type) && !all.includes(type.name))
      .filter((type) => 'nodeId' in type.getFields());
    expect(others).toEqual([]);
  });

  it.each(all)('accepts the query that a refetchable fragment on %s becomes', (type) => {
    const text = `query Refetch($nodeId: ID!) { node(nodeId: $nodeId) { __typename ...Part nodeId } }
      fragment Part on ${type} { id nodeId }`;
    expect(validate(schema, parse(text))).toEqual([]);
  });
});
