import { afterAll, beforeAll, expect, it } from 'vitest';
import { within } from '../support/running-time.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const rows = 3_000;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ RESPONSE_CACHE_MAX_BYTES: '0' });
  await addPrograms(10);
  await server.database.query('VACUUM ANALYZE');
});
afterAll(() => server.close());

async function addPrograms(count: number): Promise<void> {
  await server.database.query(
    `WITH added AS (
       INSERT INTO programs (name, duration) SELECT 'Program ' || i, '4 Years' FROM generate_series(1, ${count}) AS i
       RETURNING id
     ), branched AS (
       INSERT INTO branches (program_id, name, description, code_prefix) SELECT id, 'Branch', '', 'L' FROM added RETURNING id
     )
     INSERT INTO branch_years (branch_id, year, code) SELECT id, 1, 'L1' FROM branched`,
  );
}

/** How often PostgreSQL has searched and scanned the tables, and the rows that scans read; counted with a delay. */
async function tableReads() {
  const [row] = await server.database.query(
    `SELECT sum(idx_scan + seq_scan) AS searches, sum(seq_tup_read) AS rows FROM pg_stat_user_tables
     WHERE relname IN ('programs', 'branches', 'branch_years', 'idempotency_records', 'api_keys', 'users')`,
  );
  return { searches: Number(row?.['searches']), rows: Number(row?.['rows']) };
}

let requests = 0;
async function readAndCreate(): Promise<void> {
  requests += 1;
  const { body } = await server.graphql('query ($id: Int!) { program(id: $id) { branches { years { code } } } }', {
    id: (requests % 10) + 1,
  });
  expect(body).toEqual({ data: { program: { branches: [{ years: [{ code: 'L1' }] }] } } });
  await server
    .rest('post', '/api/academics/programs')
    .set('Idempotency-Key', `request-${requests}`)
    .send({ name: 'Physics', duration: '3 Years' })
    .expect(201);
}

async function readsOfNext(searches: number): Promise<{ searches: number; rows: number }> {
  const before = await tableReads();
  return within(20_000, async () => {
    await readAndCreate();
    const now = await tableReads();
    expect(now.searches - before.searches).toBeGreaterThan(searches);
    return { searches: now.searches - before.searches, rows: now.rows - before.rows };
  });
}

it('prepared statements scan no table that has grown since they were planned', async () => {
  for (let turn = 0; turn < 10; turn += 1) await readAndCreate();
  await addPrograms(rows);
  await server.database.query(
    `INSERT INTO idempotency_records (id, fingerprint) SELECT sha256(i::text::bytea), '' FROM generate_series(1, ${rows}) AS i`,
  );
  await readsOfNext(100);

  expect((await readsOfNext(100)).rows).toBeLessThan(rows);
});
