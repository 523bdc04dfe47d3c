import { beforeAll, expect, it } from 'vitest';
import { clientForTest } from '../../support/database.ts';
import { within } from '../../support/running-time.ts';
import { serverForTest, useServer } from '../../support/server.ts';

const programCount = 2_600;
const size = 25;
const server = useServer();
beforeAll(async () => {
  await server.database.query("INSERT INTO programs (name, duration) SELECT 'P', '1' FROM generate_series(1, $1)", [
    programCount,
  ]);
});

const idsOf = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id);
const idsFrom = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);

/** Creates programs by four clients for as long as `work` takes. */
async function whileCreating(work: () => Promise<void>): Promise<void> {
  let done = false;
  const clients = Array.from({ length: 4 }, async () => {
    while (!done) await server.make.program();
  });
  try {
    await work();
  } finally {
    done = true;
    await Promise.all(clients);
  }
}

it('walking the pages misses and repeats no program during concurrent creates', async () => {
  await whileCreating(async () => {
    for (let page = 1; page * size <= programCount; page += 1) {
      const { body } = await server.rest('get', `/api/academics/programs?page=${page}&size=${size}`);
      expect(idsOf(body.items)).toEqual(idsFrom((page - 1) * size + 1, size));
      expect(body).toMatchObject({ totalPages: Math.ceil(body.count / size), hasNextPage: page < body.totalPages });
    }
  });
});

it('pages of one GraphQL request and their counts are from one snapshot during concurrent creates', async () => {
  const last = Math.ceil(programCount / size) - 1;
  const page = (number: number) => `p${number}: programs(page: ${number}, size: ${size}) { count items { id } }`;
  await whileCreating(async () => {
    for (let round = 0; round < 20; round += 1) {
      const { body } = await server.graphql(`{ ${page(1)} ${page(last)} ${page(last - 10)} }`);
      const [near, far, before] = [body.data.p1, body.data[`p${last}`], body.data[`p${last - 10}`]];
      expect(idsOf(far.items)).toEqual(idsFrom((last - 1) * size + 1, size));
      expect(idsOf(before.items)).toEqual(idsFrom((last - 11) * size + 1, size));
      expect([near.count, before.count]).toEqual([far.count, far.count]);
    }
  });
});

it('a branch shows its program, though both are deleted between the statements that read them', async () => {
  const { database, make, graphql } = await serverForTest();
  const { id } = await make.program();
  await make.branch(id);
  const other = await clientForTest(database.url);
  await other.query('BEGIN; LOCK TABLE programs IN ACCESS EXCLUSIVE MODE');
  const reading = graphql('{ viewer { name } branchesConnection { nodes { program { id } } } }').then(
    ({ body }) => body,
  );
  await within(5_000, async () => {
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(await database.query(blocked)).toHaveLength(1);
  });
  await other.query('UPDATE branches SET deleted_at = now(), deleted_with_program = true');
  await other.query('UPDATE programs SET deleted_at = now(); COMMIT');
  expect(await reading).toMatchObject({ data: { branchesConnection: { nodes: [{ program: { id } }] } } });
});
