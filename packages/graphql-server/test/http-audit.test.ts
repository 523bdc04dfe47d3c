import { serverAudits } from 'graphql-http';
import { expect, it } from 'vitest';
import { useBookServer } from './support/server.ts';

const server = useBookServer();
/** The official audits of GraphQL over HTTP; collected before the server starts, so `url` is lazy. */
const audits = serverAudits({ url: () => `${server.url}/graphql`, fetchFn: fetch });

it('all audits of the GraphQL-over-HTTP specification pass', async () => {
  const results = await Promise.all(audits.map(async (audit) => [audit.id, audit.name, (await audit.fn()).status]));

  expect(results.filter(([, , status]) => status !== 'ok')).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(61);
});
