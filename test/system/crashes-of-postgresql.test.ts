import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { databaseAt, startSingle } from '../database/outages/replication.ts';
import { clientForTest } from '../support/database.ts';
import { type EventStream, subscribe } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { serverForTest, type TestServer } from '../support/server.ts';

// PostgreSQL recovers in a second or two, when the machine has nothing else to do.
vi.setConfig({ testTimeout: 400_000 });

const crashes = 10;
const soonMs = 20_000;

const fields = 'action programId program { name }';
const change = z.object({
  action: z.string(),
  programId: z.int().nullable(),
  program: z.object({ name: z.string() }).nullable(),
});
type Change = z.output<typeof change>;
const subscribed = z
  .object({ data: z.object({ catalogChanged: change }) })
  .transform(({ data }) => data.catalogChanged);

/** An event shows a record as it is when it is read. */
const inWords = ({ action, programId, program }: Change): string =>
  `${action} ${action === 'UPDATE' ? programId : program?.name}`;

/** A client of one instance that keeps a copy by pulling one change at a time, and one that subscribes. */
interface Followers {
  readonly server: TestServer;
  readonly stream: EventStream;
  readonly pulled: string[];
  pullOnce(): Promise<boolean>;
}

async function follow(server: TestServer): Promise<Followers> {
  const pull = async (after?: string) => {
    const { body } = await server.graphql(
      `query ($after: String) { catalogChanges(after: $after, first: 1) { changes { ${fields} } cursor hasMore reload } }`,
      { after },
    );
    expect(body).not.toHaveProperty('errors');
    return body.data.catalogChanges;
  };
  let { cursor } = await pull();
  const pulled: string[] = [];
  return {
    server,
    stream: await subscribe(server, `subscription { catalogChanged { ${fields} } }`),
    pulled,
    pullOnce: async () => {
      const page = await pull(cursor);
      if (page.reload) pulled.push('RELOAD');
      pulled.push(...page.changes.map(inWords));
      ({ cursor } = page);
      return page.hasMore;
    },
  };
}

/** What an instance shows of a program and of all of them, by REST and GraphQL. */
async function shown(server: TestServer, id: number) {
  const [record, page, graphql] = await Promise.all([
    server.rest('get', `/api/academics/programs/${id}`),
    server.rest('get', '/api/academics/programs?size=1'),
    server.graphql(`{ program(id: ${id}) { name } programs(size: 1) { count } }`),
  ]);
  const { program, programs } = graphql.body.data ?? {};
  return [record.body.name, page.body.count, program?.name, programs?.count];
}

it('caches, subscribers and pulled copies of two instances miss nothing and get nothing twice through crashes of PostgreSQL', async () => {
  const { server: postgres, close } = await startSingle('wal_writer_delay=10s');
  onTestFinished(close);
  const database = databaseAt([postgres]);
  const instances = [await serverForTest({}, database), await serverForTest({}, database)] as const;
  const [here] = instances;
  const followers = await Promise.all(instances.map(follow));
  const session = async () => {
    const client = await clientForTest(database.url);
    client.on('error', () => undefined);
    return client;
  };
  const expected: string[] = [];
  const create = async (name: string): Promise<number> => {
    expected.push(`CREATE ${name}`);
    return (await here.make.program({ name })).id;
  };
  const insert = (name: string): string => `INSERT INTO programs (name, duration) VALUES ('${name}', '1')`;
  const id = await create('Kept');
  let count = 1;
  const allShow = async (name: string): Promise<void> => {
    for (const server of instances)
      await within(soonMs, async () => expect(await shown(server, id)).toEqual([name, count, name, count]));
  };

  for (let crash = 1; crash <= crashes; crash += 1) {
    await create(`one before ${crash}`);
    await create(`another before ${crash}`);
    count += 2;
    await allShow(crash === 1 ? 'Kept' : `Kept ${crash - 1}`);
    const lost = await session();
    await lost.query('BEGIN');
    await lost.query(insert('lost'));
    // As the hints of further instances: each takes a transaction id, is not flushed, and is given again.
    for (let hint = 0; hint < 3; hint += 1) await postgres.query('NOTIFY academic_structure');
    // The cursor is then between the two, in what was visible before the crash.
    for (const { pullOnce } of followers) await pullOnce();

    await postgres.crash();
    const [slow, quick] = [await session(), await session()];
    await slow.query('BEGIN');
    await slow.query(insert(`slow after ${crash}`));
    await quick.query(`UPDATE programs SET name = 'Kept ${crash}' WHERE id = ${id}`);
    await quick.query(insert(`quick after ${crash}`));
    expected.push(`UPDATE ${id}`, `CREATE quick after ${crash}`);
    for (const { pullOnce, pulled } of followers)
      await within(soonMs, async () => {
        while (await pullOnce());
        expect(pulled).toEqual(expected);
      });
    await slow.query('COMMIT');
    expected.push(`CREATE slow after ${crash}`);
    count += 2;
    await allShow(`Kept ${crash}`);
  }
  await create('Last');
  for (const { pullOnce, pulled, stream } of followers) {
    while (await pullOnce());
    const received: string[] = [];
    while (received.at(-1) !== 'CREATE Last') received.push(inWords(subscribed.parse(await stream.result())));
    expect({ pulled, received }).toEqual({ pulled: expected, received: expected });
  }
});
