import { beforeAll, expect, it } from 'vitest';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const rows = 3_000;
const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });
beforeAll(async () => {
  await addPrograms(25);
  await server.database.query('VACUUM ANALYZE');
});

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

interface TableReads {
  readonly searches: number;
  /** That scans of whole tables read. */
  readonly scanned: number;
  /** That were found in an index, and read. */
  readonly fetched: number;
}

/** How often PostgreSQL has searched and scanned the tables, and the rows it read for that; counted with a delay. */
async function tableReads(): Promise<TableReads> {
  const [row] = await server.database.query(
    `SELECT sum(idx_scan + seq_scan) AS searches, sum(seq_tup_read) AS scanned, sum(idx_tup_fetch) AS fetched
     FROM pg_stat_user_tables
     WHERE relname IN ('programs', 'branches', 'branch_years', 'idempotency_records', 'api_keys', 'users')`,
  );
  return { searches: Number(row?.['searches']), scanned: Number(row?.['scanned']), fetched: Number(row?.['fetched']) };
}

async function readPage(): Promise<void> {
  const { body } = await server.rest('get', '/api/academics/programs').expect(200);
  expect(body.items).toHaveLength(20);
}

let requests = 0;
async function readAndCreate(): Promise<void> {
  requests += 1;
  await readPage();
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

async function readsOfNext(searches: number, request: () => Promise<void>): Promise<TableReads> {
  const before = await tableReads();
  return within(20_000, async () => {
    await request();
    const now = await tableReads();
    expect(now.searches - before.searches).toBeGreaterThan(searches);
    return {
      searches: now.searches - before.searches,
      scanned: now.scanned - before.scanned,
      fetched: now.fetched - before.fetched,
    };
  });
}

it('prepared statements scan no table that has grown since they were planned', async () => {
  for (let turn = 0; turn < 10; turn += 1) await readAndCreate();
  await addPrograms(rows);
  await server.database.query(
    `INSERT INTO idempotency_records (id, fingerprint) SELECT sha256(i::text::bytea), '' FROM generate_series(1, ${rows}) AS i`,
  );
  await readsOfNext(100, readAndCreate);

  expect((await readsOfNext(100, readAndCreate)).scanned).toBeLessThan(rows);
});

it('a page passes over no deleted programs, however many there are', async () => {
  await server.database.query('UPDATE programs SET deleted_at = now() WHERE id <= $1', [rows]);
  await server.database.query('VACUUM ANALYZE programs');
  await readsOfNext(20, readPage);

  const { searches, fetched } = await readsOfNext(20, readPage);
  expect(fetched / searches).toBeLessThan(100);
});
