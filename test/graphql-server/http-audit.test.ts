import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

/** The official audits of GraphQL over HTTP; collected before the server starts, so `url` is lazy. */
const audits = serverAudits({
  url: () => `${server.url}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-api-key': adminKey } }),
});

describe('the GraphQL-over-HTTP specification', () => {
  it('is covered by all of its audits', () => {
    expect(audits.length).toBeGreaterThanOrEqual(61);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s: %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    expect(result).toMatchObject({ status: 'ok' });
  });
});
