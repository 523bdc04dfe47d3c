import { setImmediate } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { subscribe } from '../support/event-stream.ts';
import { adminKey, useServer, useSharedServer } from '../support/server.ts';

const bytesMax = 20_000;
const server = useServer({ RESPONSE_MAX_BYTES: String(bytesMax) });

const text = 'd'.repeat(1_900);
const branchesEach = 4;
let program = 0;
let branch = 0;
beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) {
    program = (await server.make.program({ name: `P${count}` })).id;
    for (let place = 0; place < branchesEach; place += 1)
      branch = (await server.make.branch(program, { name: `B${place}`, description: text })).id;
  }
});

const message = `The response would have more than ${bytesMax} bytes. Request fewer records or fields at once.`;
const tooLarge = { errors: [{ message, extensions: { code: 'RESPONSE_TOO_LARGE' } }], data: null };

const aliased = (field: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
const [all, few] = ['branches { id name description }', 'branchesConnection(first: 1) { nodes { id name } }'];
/** Queries whose responses fit with `few`, and do not with `all`. */
const queries: Readonly<Record<string, (fields: string) => string>> = {
  'a page': (fields) => `{ programs { items { ${fields} } } }`,
  'a connection': (fields) => `{ programsConnection { nodes { ${fields} } } }`,
  'a list within records of a connection': (fields) => `{ programsConnection { edges { node { ${fields} } } } }`,
  'several fields, each of which fits': (fields) =>
    `{ a: program(id: ${program}) { ${fields} } programs(size: 1) { items { ${fields} } } programsConnection(last: 1) { nodes { ${fields} } } }`,
  'resolvers of a page': (fields) => `{ programs { items { ${fields} } } catalogStats { programs } }`,
  'resolvers of several fields': (fields) =>
    `{ a: program(id: ${program - 2}) { ${fields} } b: program(id: ${program - 1}) { ${fields} } c: program(id: ${program}) { ${fields} } }`,
  'records by nodeId, which are not cached': (fields) =>
    `{ nodes(nodeIds: [${[program - 2, program - 1, program].map((id) => `"${Buffer.from(`Program:${id}`).toString('base64url')}"`)}]) { ... on Program { ${fields} } } }`,
};

describe('a response of more than RESPONSE_MAX_BYTES', () => {
  it.each(Object.entries(queries))('is an error in place of %s, which is made once', async (_what, query) => {
    expect((await server.graphql(query(few))).body).not.toHaveProperty('errors');
    for (const attempt of ['by Yoga', 'past it']) {
      server.statements.length = 0;
      const { status, body } = await server.graphql(query(all));

      expect({ attempt, status, body }).toEqual({ attempt, status: 200, body: tooLarge });
      const ofBranches = server.statements.filter((sql) => sql.includes('FROM branches'));
      expect(ofBranches.length).toBeLessThanOrEqual(3);
    }
  });

  it('is an error of a value under many aliases, by PostgreSQL and by resolvers', async () => {
    for (const other of ['', 'catalogStats { programs }']) {
      const { body } = await server.graphql(`{ branch(id: ${branch}) { ${aliased('description', 20)} } ${other} }`);
      expect(body).toEqual(tooLarge);
    }
  });

  it('is one error, though parts of its lists were still being made: a promise that nobody awaits would end the process', async () => {
    const unheard: unknown[] = [];
    const listen = (problem: unknown): void => void unheard.push(problem);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    for (const fields of [
      `years { code } ${aliased('description', 8)}`,
      `${aliased('description', 8)} years { code }`,
    ]) {
      const { body } = await server.graphql(
        `{ program(id: ${program}) { branches { ${fields} } } catalogStats { programs } }`,
      );
      expect(body).toEqual(tooLarge);
    }
    await setImmediate();
    expect(unheard).toEqual([]);
  });

  it('is a 422 of REST, for HEAD too, and of GraphQL by GET', async () => {
    const path = `/api/academics/programs/${program}`;
    await server.database.query(`UPDATE branches SET description = repeat('é', 2000) WHERE program_id = $1`, [program]);
    await server.database.query(
      `INSERT INTO branches (program_id, name, description) SELECT $1, 'B', repeat('é', 2000) FROM generate_series(1, 2)`,
      [program],
    );
    const response = await server.rest('get', path);

    expect({ status: response.status, body: response.body, code: response.headers['x-error-code'] }).toEqual({
      status: 422,
      body: { message },
      code: 'RESPONSE_TOO_LARGE',
    });
    expect((await server.rest('head', path)).status).toBe(422);
    expect((await server.rest('get', '/api/academics/programs')).status).toBe(200);
    const query = `{ program(id: ${program}) { branches { description } } }`;
    const byGet = await server.get(`/graphql?query=${encodeURIComponent(query)}`);
    expect(await byGet.json()).toEqual(tooLarge);
  });

  it('leaves what a mutation has changed, and is what its repeat gets', async () => {
    const update = `mutation { updateBranch(id: ${branch}, input: { name: "Changed" }) { ${aliased('description', 20)} } }`;
    const send = () => server.graphql(update).set('Idempotency-Key', 'too-large');
    expect((await send()).body).toEqual(tooLarge);
    const repeat = await send();
    expect(repeat.body).toEqual(tooLarge);
    expect(repeat.headers['idempotency-replayed']).toBe('true');
    expect((await server.graphql(update)).body).toEqual(tooLarge);
    expect((await server.graphql(`{ branch(id: ${branch}) { name version } }`)).body).toEqual({
      data: { branch: { name: 'Changed', version: 2 } },
    });
  });

  it('is an error of an event, whose stream goes on, and of an operation of a WebSocket', async () => {
    const stream = await subscribe(server, `subscription { catalogChanged { program { name ${all} } } }`);
    const rename = (id: number, name: string) =>
      server.graphql(`mutation { updateProgram(id: ${id}, input: { name: "${name}" }) { id } }`);
    await rename(program, 'Large');
    expect(await stream.result()).toEqual(tooLarge);
    const { id } = await server.make.program({ name: 'Small' });
    expect(await stream.result()).toEqual({ data: { catalogChanged: { program: { name: 'Small', branches: [] } } } });
    expect(id).toBeGreaterThan(program);

    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-api-key': adminKey },
    });
    onTestFinished(async () => client.dispose());
    const result = await client.iterate({ query: queries['a page']?.(all) ?? '' }).next();
    expect(result.value).toEqual(tooLarge);
  });
});

it('the subscriptions of a user share the bytes of an event, in whatever spelling', async () => {
  const { id } = await server.make.program({ name: 'Followed' });
  await server.make.branch(id, { description: text });
  await server.make.branch(id, { description: text });
  const spelling = (index: number): string =>
    `subscription { catalogChanged { program { a${index}: name branches { description } } } }`;
  const other = await server.makeKey({ role: 'viewer' });
  const rename = (name: string) =>
    server.graphql(`mutation { updateProgram(id: ${id}, input: { name: "${name}" }) { id } }`);
  // Until its event comes, those of the creations may come.
  const ready = await subscribe(server, 'subscription { catalogChanged { program { name } } }');
  await rename('Ready');
  while (!JSON.stringify(await ready.result()).includes('Ready'));
  const own = await Promise.all(Array.from({ length: 40 }, (_, index) => subscribe(server, spelling(index))));
  const another = await subscribe(server, spelling(40), { key: other });
  await rename('Shared');

  const results = await Promise.all(own.map((stream) => stream.result()));
  const sent = results.filter((result) => !('errors' in Object(result)));
  expect(sent.reduce<number>((sum, result) => sum + JSON.stringify(result).length, 0)).toBeLessThanOrEqual(bytesMax);
  expect(sent.length).toBeGreaterThan(2);
  expect(results.length - sent.length).toBeGreaterThan(30);
  for (const result of results) if ('errors' in Object(result)) expect(result).toEqual(tooLarge);
  expect(await another.result()).toMatchObject({ data: { catalogChanged: { program: { a40: 'Shared' } } } });
});

describe('a response that would be far too large', () => {
  const usual = useSharedServer();
  let large = 0;
  let fewer = 0;
  beforeAll(async () => {
    large = (await usual.make.program()).id;
    await usual.database.query(
      `INSERT INTO branches (program_id, name, description) SELECT $1, 'B', repeat('d', 2000) FROM generate_series(1, 12000)`,
      [large],
    );
    fewer = (await usual.make.program()).id;
    await usual.database.query(
      `INSERT INTO branches (program_id, name, description) SELECT $1, 'B', repeat('d', 2000) FROM generate_series(1, 500)`,
      [fewer],
    );
    await usual.database.query('ANALYZE');
  });

  const fields = aliased('description', 49);
  const nodeIds = `branches { ${aliased('nodeId', 45)} years { code } }`;
  it.each([
    ['a record', () => `{ program(id: ${large}) { branches { ${fields} } } }`],
    ['a record with long keys', () => `{ program(id: ${large}) { branches { ${'k'.repeat(30_000)}: id } } }`],
    ['a record of made values', () => `{ program(id: ${large}) { ${nodeIds} } }`],
    ['a page', () => `{ programs { items { branches { ${fields} } } } }`],
    ['a connection', () => `{ programsConnection { edges { node { branches { ${fields} } } } } }`],
    ['branches', () => `{ branchesConnection(first: 100) { nodes { ${fields} } } }`],
    ['a window', () => `{ program(id: ${large}) { branchesConnection(first: 100) { edges { node { ${fields} } } } } }`],
    [
      'windows by resolvers',
      () =>
        `{ program(id: ${fewer}) { ${Array.from({ length: 48 }, (_, at) => `w${at}: branchesConnection(first: ${53 + at}) { nodes { id } }`).join(' ')} } }`,
    ],
    ['resolvers', () => `{ program(id: ${fewer}) { branches { ${fields} } } catalogStats { programs } }`],
  ])('is not made by PostgreSQL, of %s', async (_what, query) => {
    const { body } = await usual.graphql(query());
    expect(body).toEqual({
      errors: [
        {
          message: 'The response would have more than 8388608 bytes. Request fewer records or fields at once.',
          extensions: { code: 'RESPONSE_TOO_LARGE' },
        },
      ],
      data: null,
    });
  });

  it('is none where it fits', async () => {
    const { body } = await usual.graphql(`{ program(id: ${large}) { branches { name ${aliased('id', 20)} } } }`);
    expect(body.data.program.branches).toHaveLength(12_000);
  });
});
