import { someCharacters } from '@service/telemetry/testing/characters';
import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { documents, fillers, headers, places, post } from './heavy-requests.ts';
import { expectContract, send } from './invariants.ts';

const server = useServer({ LOG_LEVEL: 'warn', RESPONSE_CACHE_MAX_BYTES: '0' });
beforeAll(async () => {
  const program = await server.make.program();
  for (let count = 0; count < 10; count += 1) await server.make.branch(program.id);
  // Lazy imports are loaded and queries compiled by the third time.
  for (let time = 0; time < 4; time += 1) await server.graphql('{ programs { items { branches { name } } } }');
});
afterAll(async () => {
  expect(server.logged.slice(0, 3)).toEqual([]);
});

/** Twice the documented bound: JIT compilation and garbage collection are not the request's own work. */
const holdMs = 2 * 50;
/** An error repeats no more of the input. */
const errorBodyMax = 40_000;

/** Expects that the response to a request does not block the event loop. */
function expectQuick(requestAt: (attempt: number) => string): Promise<void> {
  const respond = async (request: string): Promise<void> => {
    const response = await send(server.url, request, true);
    if (response === undefined) throw new Error('There was no response.');
    expectContract(response, request.slice(0, request.indexOf(' ')));
    if (response.body.startsWith('{"errors"') || response.status >= 400)
      expect(response.body.length).toBeLessThan(errorBodyMax);
  };
  return expectNotBlocked(holdMs, (attempt) => respond(requestAt(attempt)), requestAt(0).slice(0, 500));
}

describe('the event loop is not blocked', () => {
  it.each(Object.keys(places))('by any heavy value in %s', async (name) => {
    for (const filler of Object.values(fillers)) await expectQuick(() => places[name]?.(filler) ?? '');
  });

  it.each(Object.keys(places))('by a run of any one character in %s', async (name) => {
    for (const character of someCharacters) {
      const run = (bytes: number) => character.repeat(bytes / Math.max(3, Buffer.byteLength(character)));
      await expectQuick(() => places[name]?.(run) ?? '');
    }
  });

  it.each(Object.entries(documents))('by a document of %s', async (_what, query) => {
    const operationName = query.startsWith('query A0') ? 'A0' : undefined;
    await expectQuick((attempt) => post('/graphql', { query: `${query} #${attempt}`, operationName }));
  });

  it.each(Object.entries(headers))('by a header %s', async (_what, header) => {
    await expectQuick(() => post('/graphql', { query: '{ ping { status } }' }, `${header}\r\n`));
    await expectQuick(() => post('/v1/api/academics/programs', { name: 1 }, `${header}\r\n`));
  });
});
