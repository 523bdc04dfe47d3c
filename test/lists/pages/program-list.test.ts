import { afterAll, beforeAll, expect, it } from 'vitest';
import { noProgramFilter } from '../../../src/academics/rules/filters.ts';
import { orderingOf } from '../../../src/academics/rules/lists.ts';
import { programPage, programPages } from '../../../src/academics/sql/program-pages.ts';
import { openDatabase } from '../../../src/database/prisma.ts';
import type { Database } from '../../../src/database/types.ts';
import { clientForTest, useDatabase } from '../../support/database.ts';
import { programOrders } from '../orders.ts';

const count = 23;
const size = 5;
const own = useDatabase();
let db: Database;
beforeAll(async () => {
  await own.query("INSERT INTO programs (name, duration) SELECT 'P' || g % 4, '1' FROM generate_series(1, $1) g", [
    count,
  ]);
  db = openDatabase({ url: own.url });
});
afterAll(async () => {
  await db.$disconnect();
});

it.each(programOrders)('reads the same page in the order of %s from either end of the list', async (order) => {
  const filter = noProgramFilter;
  for (let offset = 0; offset < count + size; offset += size) {
    const request = { filter, orderBy: orderingOf({ filter, orderBy: order }), offset, size };
    const [fromBeginning] = await programPages(db, [request]);
    expect(await programPage(db, request, count)).toEqual(fromBeginning?.programs);
    expect(fromBeginning?.programs).toHaveLength(Math.max(0, Math.min(size, count - offset)));
  }
});

it('reads a page near the end as it is when there are more or fewer programs than the last count says', async () => {
  const [offset, filter] = [count - size, noProgramFilter];
  for (const change of [
    "INSERT INTO programs (name, duration) VALUES ('P', '1'), ('P', '1')",
    'UPDATE programs SET deleted_at = now() WHERE id IN (1, 2, 3)',
    'UPDATE programs SET deleted_at = NULL',
    "DELETE FROM programs WHERE name = 'P'",
  ]) {
    await own.query(change);
    const ids = (await own.query('SELECT id FROM programs WHERE deleted_at IS NULL ORDER BY id')).map(({ id }) => id);
    const [page] = await programPages(db, [
      { filter, orderBy: orderingOf({ filter, orderBy: 'ID_ASC' }), offset, size },
    ]);
    expect(page?.programs.map(({ id }) => id)).toEqual(ids.slice(offset, offset + size));
    expect(page?.count).toBe(ids.length);
  }
});

it('counts the branches of a program in an index, without reading them', async () => {
  const client = await clientForTest(own.url);
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  const { rows } = await client.query('EXPLAIN SELECT 1 FROM branches WHERE program_id = 1 AND deleted_at IS NULL');

  expect(JSON.stringify(rows)).toContain('Index Only Scan');
});
