import { expect, it } from 'vitest';
import { makeSigningKey } from '../../support/credentials/tokens.ts';
import { serverForTest } from '../../support/server.ts';
import { startJwksServer } from './jwks-server.ts';

it('tokens that wait for the keys of another host hold no slots: others are served meanwhile', async () => {
  const host = await startJwksServer();
  host.handler = () => undefined;
  const server = await serverForTest({ JWT_JWKS_URL: host.url });
  const token = await (await makeSigningKey('ES256', 'made-up')).sign();
  let responded = 0;
  const waiting = Array.from({ length: 100 }, async () => {
    const { status } = await server.rest('get', '/ping', token);
    responded += 1;
    return status;
  });
  // A hundred requests begin within as many turns.
  for (let turn = 0; turn < 100; turn += 1) await server.rest('options', '/ping', null);

  const statuses = [];
  for (let asked = 0; asked < 5; asked += 1) {
    statuses.push((await server.rest('get', '/api/academics/programs')).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(responded).toBeLessThan(100);
  await host.goDown();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 401));
});

it.each(['W10.e30.AAAA', 'eyJhIjoi_yJ9.e30.AAAA'])(
  'what cannot be read as a token waits for no keys and is rejected: %s',
  async (credential) => {
    const host = await startJwksServer();
    const server = await serverForTest({ JWT_JWKS_URL: host.url });
    expect((await server.rest('get', '/ping', credential)).status).toBe(401);
  },
);
