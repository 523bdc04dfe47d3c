import { afterAll, beforeAll, expect, it } from 'vitest';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const message = 'No identifiers are left for new records. Please contact the operator.';
const last = 2_147_483_647;
let server: TestServer;
let programId: number;
beforeAll(async () => {
  server = await startTestServer();
  programId = (await factoriesFor(server).program()).id;
});
afterAll(() => server.close());

const used = (sequence: string, number: number) =>
  server.database.query('SELECT setval($1::text::regclass, $2)', [sequence, number]);

it('ids of years and audit entries can exceed 32 bits', async () => {
  await used('branch_years_id_seq', last - 1);
  await used('audit_entries_id_seq', last - 1);
  const { id } = await factoriesFor(server).branch(programId, { years: 3 });
  await factoriesFor(server).branch(programId, { years: 1 });

  const { body } = await server.rest('get', `/api/academics/branches/${id}`);
  expect(body.years.map((year: { id: number }) => year.id)).toEqual([last, -last - 1, -last]);
  const query = '{ auditLog(first: 1) { nodes { id } pageInfo { endCursor } } }';
  const { auditLog } = (await server.graphql(query)).body.data;
  expect(auditLog.nodes).toEqual([{ id: last + 1 }]);
  const next = await server.graphql(`{ auditLog(first: 1, after: "${auditLog.pageInfo.endCursor}") { nodes { id } } }`);
  expect(next.body.data.auditLog.nodes).toEqual([{ id: last }]);
});

it('creating a program or a branch without a free id gets 507 and stores nothing', async () => {
  await used('programs_id_seq', last);
  await used('branches_id_seq', last);
  const count = async () =>
    server.database.query('SELECT (SELECT count(*) FROM programs), (SELECT count(*) FROM audit_entries) AS entries');
  const before = await count();

  for (const [path, body] of [
    ['programs', { name: 'Physics', duration: '4 Years' }],
    ['branches', { programId, name: 'Optics', years: 3 }],
  ] as const) {
    const response = await server.rest('post', `/api/academics/${path}`).send(body);
    expect([response.status, response.body]).toEqual([507, { message }]);
    expect(response.headers).not.toHaveProperty('retry-after');
  }
  const { body } = await server.graphql(
    'mutation { createProgram(input: { name: "Physics", duration: "4 Years" }) { id } }',
  );
  expect(body.errors).toEqual([expect.objectContaining({ message, extensions: { code: 'UNAVAILABLE' } })]);
  expect(await count()).toEqual(before);
});

it('a sequence that exceeds its column gets 507', async () => {
  await server.database.query('ALTER SEQUENCE programs_id_seq AS bigint');
  const response = await server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' });
  expect([response.status, response.body]).toEqual([507, { message }]);
});
