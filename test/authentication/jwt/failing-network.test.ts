import { expect, it } from 'vitest';
import { makeSigningKey } from '../../support/credentials/tokens.ts';
import { serverForTest } from '../../support/server.ts';
import { startJwksServer } from './jwks-server.ts';

it('a network of which too many tokens fail makes no other host be asked, and has its keys when others have learned them', async () => {
  const host = await startJwksServer();
  // After a download that has failed, the next token asks again.
  host.handler = (_request, response) => response.writeHead(500).end();
  const server = await serverForTest({
    JWT_JWKS_URL: host.url,
    AUTH_FAILURES_PER_MINUTE: '3',
    TRUSTED_PROXY_HOPS: '1',
  });
  const key = await makeSigningKey('ES256', 'new');
  const token = await key.sign();
  const statusFrom = async (address: string): Promise<number> =>
    (await server.rest('get', '/ping', token).set('X-Forwarded-For', address)).status;

  for (let failed = 0; failed < 3; failed += 1) expect(await statusFrom('192.0.2.1')).toBe(401);
  const { requests } = host;
  host.keys = [key.publicJwk];
  host.handler = undefined;
  expect([await statusFrom('192.0.2.1'), await statusFrom('192.0.2.1')]).toEqual([429, 429]);
  expect(host.requests).toBe(requests);

  expect(await statusFrom('192.0.2.2')).toBe(200);
  expect(await statusFrom('192.0.2.1')).toBe(200);
  await host.goDown();
});
