import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../src/validation/api-key-form.ts';
import { within } from '../support/running-time.ts';
import { useSharedServer } from '../support/server.ts';
import { keyInvalid, keyMissing, statusAndBody } from './expectations.ts';

const ok = { status: 200, body: { status: 'ok' } };

const server = useSharedServer();
let key: string;
beforeAll(async () => {
  key = await server.makeKey({ role: 'guest' });
});

const ping = (headers: Readonly<Record<string, string>>) => supertest(server.url).get('/v1/ping').set(headers);

describe('GET /v1/ping', () => {
  describe('200', () => {
    it('returns ok, even to a guest', async () => {
      const response = await server.rest('get', '/ping', key);

      expect(statusAndBody(response)).toEqual(ok);
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': '15',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      });
      expect(response.headers).not.toHaveProperty('x-powered-by');
    });

    it('has no header of a rate limit, which is off by default', async () => {
      const { headers } = await server.rest('get', '/ping', key);
      for (const name of ['ratelimit', 'ratelimit-policy']) expect(headers).not.toHaveProperty(name);
    });

    it('accepts the key in every documented header form', async () => {
      const forms: Readonly<Record<string, string>>[] = [
        { 'X-API-KEY': key },
        { 'x-api-key': `  Bearer\t${key}  ` },
        { authorization: `bEaReR ${key}` },
      ];
      for (const form of forms) expect([form, statusAndBody(await ping(form))]).toEqual([form, ok]);
    });

    it('returns ok to a disabled user and to a read-only key: the key is valid', async () => {
      const keys = [
        await server.makeKey({ user: 'gone', disabled: true }),
        await server.makeKey({ user: 'reader', readOnly: true }),
        await server.makeKey({ user: 'in time', expiresAt: new Date(Date.now() + 60_000) }),
      ];
      for (const validKey of keys) expect(statusAndBody(await server.rest('get', '/ping', validKey))).toEqual(ok);
    });

    it('ignores a query string and a body', async () => {
      expect(statusAndBody(await server.rest('get', '/ping?page=0&status=down', key))).toEqual(ok);
      expect(statusAndBody(await server.rest('get', '/ping', key).type('text/plain').send('{'))).toEqual(ok);
    });
  });

  describe('401', () => {
    it('reports a missing key', async () => {
      const forms: Readonly<Record<string, string>>[] = [
        {},
        { 'x-api-key': '  \t ' },
        { authorization: `Basic ${key}` },
        { cookie: `x-api-key=${key}` },
      ];
      for (const form of forms) expect([form, statusAndBody(await ping(form))]).toEqual([form, keyMissing]);
      expect(statusAndBody(await supertest(server.url).get(`/v1/ping?x-api-key=${key}`))).toEqual(keyMissing);
    });

    it('reports an unknown, malformed, revoked or expired key as invalid', async () => {
      const past = new Date(Date.now() - 1_000);
      const forms: Readonly<Record<string, string>>[] = [
        { 'x-api-key': makeApiKey() },
        { 'x-api-key': `${key}x` },
        { 'x-api-key': `Bearer Bearer ${key}` },
        { 'x-api-key': "' OR 1=1 --" },
        { 'x-api-key': 'x'.repeat(8_000) },
        { 'x-api-key': 'nonsense', authorization: `Bearer ${key}` },
        { authorization: 'Bearer nonsense' },
        { 'x-api-key': await server.makeKey({ user: 'revoked', revokedAt: past }) },
        { 'x-api-key': await server.makeKey({ user: 'expired', expiresAt: past }) },
      ];
      for (const form of forms) expect([form, statusAndBody(await ping(form))]).toEqual([form, keyInvalid]);
    });

    it('names the scheme in WWW-Authenticate, and what is wrong with a credential that was sent', async () => {
      const scheme = 'Bearer realm="academic-structure"';
      expect((await ping({})).headers['www-authenticate']).toBe(scheme);
      expect((await ping({ 'x-api-key': 'nonsense' })).headers['www-authenticate']).toBe(
        `${scheme}, error="invalid_token"`,
      );
    });

    it('tells the sender of another Authorization scheme which header is wanted', async () => {
      const wanted =
        'Bearer realm="academic-structure", error="invalid_request", error_description="Send the key as x-api-key: KEY or as Authorization: Bearer KEY"';
      for (const authorization of [`Token ${key}`, `Basic ${key}`, `ApiKey ${key}`, key]) {
        const response = await ping({ authorization });
        expect([authorization, statusAndBody(response)]).toEqual([authorization, keyMissing]);
        expect(response.headers['www-authenticate']).toBe(wanted);
      }
      for (const authorization of ['Bearer', ' '])
        expect((await ping({ authorization })).headers['www-authenticate']).toBe('Bearer realm="academic-structure"');
    });

    it('is on the log line of its X-Request-Id, without the credential', async () => {
      const secret = 'a-secret-that-is-not-a-key';
      const { headers } = await ping({ 'x-api-key': secret, 'x-request-id': 'mine' });
      expect(headers['x-request-id']).toBe('mine');
      await ping({ authorization: `Bearer ${secret}`, 'x-request-id': makeApiKey() });
      const lines = () => server.logged.filter((line) => JSON.parse(line).requestId === 'mine');
      await within(1_000, () => expect(lines().join()).toContain('/v1/ping'));
      expect(server.logged.join('\n')).not.toMatch(/a-secret-that-is-not-a-key|uas_/);
    });
  });
});
