import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

it('whoever waits for the read of a busy caller has the response as soon as alone', async () => {
  const [busy, other] = [
    await server.makeKey({ user: 'busy', role: 'viewer' }),
    await server.makeKey({ user: 'other', role: 'viewer' }),
  ];
  const lock = await lockTable(server.database, 'branches', 'ACCESS EXCLUSIVE');
  const slow = Array.from({ length: 20 }, (_, number) =>
    server.graphql(`{ branchesConnection(filter: { search: "x${number}" }) { totalCount } }`, {}, busy).then(),
  );
  await lock.waitUntilBlocking();
  const query = '{ programs(filter: { search: "law" }) { items { name } } }';
  const first = server.graphql(query, {}, busy).then();
  const { body } = await server.graphql(query, {}, other);
  expect(body).toEqual({ data: { programs: { items: [] } } });
  expect((await first).body).toEqual(body);
  await lock.query('ROLLBACK');
  await Promise.all(slow);
});
