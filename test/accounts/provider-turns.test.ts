import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createLogoutTurns, createProviderTurns } from '../../src/accounts/sessions/provider/provider-turns.ts';
import { CookieJar, type IdentityProvider } from '../support/credentials/identity-provider.ts';
import { startWithProvider } from '../support/credentials/with-provider.ts';
import { useDatabase } from '../support/database.ts';
import type { TestServer } from '../support/server.ts';

// What anybody may make the service ask of a provider that takes its time.

const database = useDatabase();
let provider: IdentityProvider;
let server: TestServer;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const settings = { TRUSTED_PROXY_HOPS: '1', AUTH_FAILURES_PER_MINUTE: '3' };
  ({ url, provider, server, close } = await startWithProvider(database, settings));
  // Finds out how the provider takes the client's secret.
  await begin('192.0.2.99');
});
afterAll(() => close());

/** Holds what the provider responds with at a path, until it is released. */
const hold = (path: string) => {
  const held: (() => void)[] = [];
  let isReleased = false;
  let asked = 0;
  let running = 0;
  let most = 0;
  provider.responses.set(path, async (body) => {
    asked += 1;
    running += 1;
    most = Math.max(most, running);
    if (!isReleased) await new Promise<void>((resolve) => held.push(resolve));
    running -= 1;
    return body;
  });
  return {
    expectAsked: (count: number) => expect.poll(() => asked, { timeout: 20_000, interval: 5 }).toBe(count),
    counts: () => ({ asked, most }),
    release: () => {
      isReleased = true;
      for (const each of held) each();
    },
  };
};

const begin = async (network: string, signal?: AbortSignal): Promise<string> => {
  const headers = { 'x-forwarded-for': network };
  const sent = { redirect: 'manual', headers, ...(signal && { signal }) } as const;
  const response = await fetch(`${url}/session/sign-in?return=/console/programs`, sent);
  return response.headers.get('location')?.replace(/\?request_uri=.*|\?client_id=.*/, '') ?? '';
};
const atProvider = () => `${provider.issuer}/auth`;
const beginMany = (count: number, network: string, signal?: AbortSignal) =>
  Array.from({ length: count }, () => begin(network, signal));

test('of sign-ins that are begun, five of a network and twelve of all ask the provider at a time', async () => {
  const pushed = hold('/request');
  const ofFirst = beginMany(12, '192.0.2.1');
  await pushed.expectAsked(5);
  const ofSecond = beginMany(12, '2001:db8:1:2::1');
  await pushed.expectAsked(10);
  const ofThird = beginMany(1, '192.0.2.3');
  await pushed.expectAsked(11);
  const ofFourth = beginMany(3, '192.0.2.4');
  await pushed.expectAsked(12);
  pushed.release();
  const answers = await Promise.all([...ofFirst, ...ofSecond, ...ofThird, ...ofFourth]);
  expect(new Set(answers)).toEqual(new Set([atProvider()]));
  expect(pushed.counts()).toEqual({ asked: 28, most: 12 });
});

test('nothing is asked for browsers that have gone meanwhile', async () => {
  const pushed = hold('/request');
  const asked = beginMany(5, '192.0.2.5');
  await pushed.expectAsked(5);
  const browsers = new AbortController();
  const waiting = Promise.allSettled(beginMany(20, '192.0.2.5', browsers.signal));
  const other = begin('192.0.2.6');
  await pushed.expectAsked(6);
  browsers.abort();
  await waiting;
  const gone = () => server.logged.filter((line) => line.includes('The browser has gone.')).length;
  await expect.poll(gone, { timeout: 20_000 }).toBe(20);
  const next = begin('192.0.2.5');
  pushed.release();
  expect(new Set(await Promise.all([...asked, other, next]))).toEqual(new Set([atProvider()]));
  expect(pushed.counts()).toMatchObject({ asked: 7 });
});

test('a thousand of a network wait, and the next is unavailable at once', async () => {
  const askInTurn = createProviderTurns({ yieldWhile: (_response, work) => work() });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const ask = (ip: string) =>
    askInTurn({ ip }, new ServerResponse(new IncomingMessage(new Socket())), 'begin', () => ended);
  const taken = Array.from({ length: 1_005 }, () => ask('2001:db8::1'));
  const refused = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };
  await expect(ask('2001:db8::2')).rejects.toMatchObject(refused);
  const turnOf = createLogoutTurns();
  const logOut = (ip: string) => turnOf({ ip })(() => ended);
  taken.push(...Array.from({ length: 1_002 }, () => logOut('2001:db8::1')));
  await expect(logOut('2001:db8::2')).rejects.toMatchObject(refused);
  const others = [ask('2001:db8:0:1::1'), ask('192.0.2.1'), logOut('192.0.2.1')];
  end();
  await Promise.all([...taken, ...others]);
});

test.each(['begin', 'finish'] as const)(
  'sign-ins that %s wait ten seconds: those of a campus come at once, from one address',
  async (step) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const askInTurn = createProviderTurns({ yieldWhile: (_response, work) => work() });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const ask = () =>
      askInTurn({ ip: '192.0.2.1' }, new ServerResponse(new IncomingMessage(new Socket())), step, () => ended);
    const early = Array.from({ length: 600 }, ask);
    const outcomes = Promise.allSettled(early);
    await vi.advanceTimersByTimeAsync(9_999);
    end();
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toEqual([]);
  },
);

/** Signs in up to the address to which the provider sends the browser back. */
const upToCallback = async (login: string, network: string) => {
  provider.people.set(login, { preferred_username: login, roles: ['viewer'] });
  const jar = new CookieJar();
  const headers = { 'x-forwarded-for': network };
  const begun = await jar.get(new URL('/session/sign-in?return=/console', url), headers);
  const asked = await jar.follow(begun.headers.get('location') ?? '', ({ pathname }) =>
    pathname.startsWith('/sign-in/'),
  );
  asked.searchParams.set('login', login);
  const callback = await jar.follow(asked, ({ pathname }) => pathname === '/session/callback');
  return {
    arrive: async (code = callback.searchParams.get('code') ?? '') => {
      callback.searchParams.set('code', code);
      return (await jar.get(callback, headers)).headers.get('location');
    },
  };
};

test('those that come back have places beside those that the network begins', async () => {
  const { arrive } = await upToCallback('ann', '192.0.2.7');
  const pushed = hold('/request');
  const begun = beginMany(12, '192.0.2.7');
  await pushed.expectAsked(5);
  expect(await arrive()).toBe('/console');
  pushed.release();
  await Promise.all(begun);
});

test('eight of a network that come back ask at a time, and the rest do not once too many have failed', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, (_, index) => upToCallback(`p${index}`, '192.0.2.8')));
  const codes = hold('/token');
  const answers = people.map(({ arrive }) => arrive('forged'));
  await codes.expectAsked(8);
  codes.release();
  const reasons = (await Promise.all(answers)).map((address) => address?.replace('/console?sign-in=', ''));
  expect(reasons.filter((reason) => reason === 'failed')).toHaveLength(3);
  const { asked, most } = codes.counts();
  expect(most).toBe(8);
  // One for each that had failed before, while some were left.
  expect(asked).toBeLessThanOrEqual(11);
});

const sendLogout = async (network: string, token: string) => {
  const headers = { 'x-forwarded-for': network };
  const body = new URLSearchParams({ logout_token: token });
  const response = await fetch(`${url}/session/back-channel-logout`, { method: 'POST', headers, body });
  return [response.status, response.headers.get('retry-after')];
};

test('of logout tokens, the signatures of two of a network and four of all are verified at a time, and nobody waits for all of another', async () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const now = Math.floor(Date.now() / 1_000);
  const common = { iss: provider.issuer, aud: 'academic-structure', iat: now, exp: now + 60, sub: 'nobody', events };
  const valid = await provider.sign({ ...common, jti: 'valid' });
  const forged = `${valid.slice(0, -20)}${'A'.repeat(20)}`;
  // The keys are known from now on.
  expect(await sendLogout('192.0.2.9', forged)).toEqual([400, null]);
  const verify = crypto.subtle.verify.bind(crypto.subtle);
  const held: (() => void)[] = [];
  let asked = 0;
  const spy = vi.spyOn(crypto.subtle, 'verify').mockImplementation(async (...given) => {
    asked += 1;
    await new Promise<void>((resolve) => held.push(resolve));
    return verify(...given);
  });
  onTestFinished(() => spy.mockRestore());
  const expectAsked = (count: number) => expect.poll(() => asked, { timeout: 20_000, interval: 5 }).toBe(count);
  const many = (network: string) => Array.from({ length: 12 }, () => sendLogout(network, forged));
  const ofFirst = many('192.0.2.10');
  await expectAsked(2);
  const ofSecond = many('2001:db8:3:4::1');
  await expectAsked(4);
  let isEnded = false;
  const ended = sendLogout('192.0.2.11', valid).finally(() => {
    isEnded = true;
  });
  // It has arrived within as many turns.
  for (let turn = 0; turn < 30; turn += 1) await fetch(`${url}/session`);
  expect(asked).toBe(4);
  // Ends one verification after the other: the third network's turn comes before those that wait have all had theirs.
  let released = 0;
  while (!isEnded && released < 30) {
    held.shift()?.();
    released += 1;
    await expect.poll(() => isEnded || held.length === 4, { timeout: 20_000, interval: 5 }).toBe(true);
    for (let turn = 0; turn < 5; turn += 1) await fetch(`${url}/session`);
  }
  expect(await ended).toEqual([200, null]);
  expect(released).toBeLessThan(12);
  spy.mockRestore();
  for (const each of held) each();
  expect(new Set((await Promise.all([...ofFirst, ...ofSecond])).map(([status]) => status))).toEqual(new Set([400]));
});
