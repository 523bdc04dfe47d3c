import { afterEach, describe, expect, it, vi } from 'vitest';
import { KeptOutcomes, keptBytesMax } from '../../src/operations/kept-outcomes.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
afterEach(() => vi.restoreAllMocks());

const message = `The responses that are kept for your Idempotency-Keys for 24 hours have ${keptBytesMax} bytes, which is the limit. Please select fewer fields in mutations with a key, or wait.`;
const hourMs = 3_600_000;

describe('the outcomes of an owner', () => {
  it('are too many once their bytes are, however short each is, until those of an hour are removed', () => {
    let now = 10.5 * hourMs;
    const kept = new KeptOutcomes({ now: () => now, bytesMax: 1_000 });
    kept.count('Ada', 250);
    now += hourMs;
    kept.count('Ada', 200);
    expect(kept.problemOf('Ada')).toBeUndefined();
    for (let more = 0; more < 2; more += 1) kept.count('Ada', 0);
    expect(kept.problemOf('Ada')).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 23.5 * 3_600 });
    expect(kept.problemOf('Vera')).toBeUndefined();
    now += 23.5 * hourMs - 1;
    expect(kept.problemOf('Ada')).toMatchObject({ retryAfterSeconds: 1 });
    now += 1;
    expect(kept.problemOf('Ada')).toBeUndefined();
  });
});

describe.each([
  {
    door: 'GraphQL',
    send: (key: string, apiKey: string) =>
      server
        .graphql('mutation { createProgram(input: { name: "Law", duration: "1 Year" }) { id } }', {}, apiKey)
        .set('Idempotency-Key', key),
    refused: { errors: [{ message, extensions: { code: 'RATE_LIMITED' } }] },
  },
  {
    door: 'REST',
    send: (key: string, apiKey: string) =>
      server
        .rest('post', '/api/academics/programs', apiKey)
        .set('Idempotency-Key', key)
        .send({ name: 'Law', duration: '1 Year' }),
    refused: { message },
  },
])('a user whose outcomes are too many', ({ door, send, refused }) => {
  it(`makes nothing more with a key, but gets what is kept, over ${door}; others do`, async () => {
    const editor = await server.makeKey({ user: `of ${door}`, role: 'editor' });
    const { count } = KeptOutcomes.prototype;
    vi.spyOn(KeptOutcomes.prototype, 'count').mockImplementation(function (this: KeptOutcomes, owner, bytes) {
      count.call(this, owner, bytes + keptBytesMax);
    });
    const first = await send('one', editor);
    const before = await server.database.query('SELECT id FROM programs');
    const second = await send('two', editor);
    expect(second.body).toMatchObject(refused);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(await server.database.query('SELECT id FROM programs')).toEqual(before);
    expect((await send('one', editor)).text).toBe(first.text);
    const other = await server.makeKey({ user: `not of ${door}`, role: 'editor' });
    expect((await send('two', other)).body).not.toMatchObject(refused);
  });
});
