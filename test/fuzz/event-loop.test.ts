import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestHoldMs, slowness } from '../support/event-loop.ts';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { documents, fillers, headers, places, post } from './heavy-requests.ts';
import { expectContract, send } from './invariants.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: 'warn', RESPONSE_CACHE_MAX_BYTES: '0' });
  const make = factoriesFor(server);
  const program = await make.program();
  for (let count = 0; count < 10; count += 1) await make.branch(program.id);
  // What is loaded only when it is needed is there by the third time.
  for (let time = 0; time < 4; time += 1) await server.graphql('{ programs { items { branches { name } } } }');
});
afterAll(async () => {
  expect(server.logged.slice(0, 3)).toEqual([]);
  await server.close();
});

/** Twice what is promised: neither the compiler of JavaScript nor its garbage is the request's. */
const holdMs = 2 * 50;
/** What is so late once is late each time. */
const hopelessMs = 1_000;
const attempts = 6;
/** An answer repeats no more of what was sent. */
const answerMax = 40_000;

/** Expects that a request, which must not be remembered from one attempt to the next, holds the event loop for no longer than is promised. */
async function expectQuick(requestAt: (attempt: number) => string): Promise<void> {
  const held: number[] = [];
  do {
    const request = requestAt(held.length);
    const hold = await longestHoldMs(async () => {
      const heard = await send(server.url, request, true);
      if (heard === undefined) throw new Error('There was no answer.');
      expectContract(heard, request.slice(0, request.indexOf(' ')));
      if (heard.body.startsWith('{"errors"') || heard.status >= 400) expect(heard.body.length).toBeLessThan(answerMax);
    });
    if (hold < holdMs * slowness()) return;
    held.push(hold);
  } while (held.length < attempts && Math.max(...held) < hopelessMs);
  expect(held, requestAt(0).slice(0, 500)).toEqual([]);
}

describe('the event loop is not held for long', () => {
  it.each(Object.keys(places))('by any heavy value in %s', async (name) => {
    for (const filler of Object.values(fillers)) await expectQuick(() => places[name]?.(filler) ?? '');
  });

  it.each(Object.entries(documents))('by a document of %s', async (_what, query) => {
    const operationName = query.startsWith('query A0') ? 'A0' : undefined;
    await expectQuick((attempt) => post('/graphql', { query: `${query} #${attempt}`, operationName }));
  });

  it.each(Object.entries(headers))('by a header %s', async (_what, header) => {
    await expectQuick(() => post('/graphql', { query: '{ ping { status } }' }, `${header}\r\n`));
    await expectQuick(() => post('/v1/api/academics/programs', { name: 1 }, `${header}\r\n`));
  });

  it('by heavy values within each other, wherever they are', async () => {
    const filler = fc.constantFrom(...Object.values(fillers));
    const mixed = fc.array(filler, { minLength: 1, maxLength: 5 }).chain((parts) =>
      fc.constantFrom(
        (bytes: number) => parts.map((part) => part(bytes / parts.length / 2)),
        (bytes: number) => ({ name: parts.map((part) => part(bytes / parts.length / 2)) }),
        (bytes: number) =>
          Object.fromEntries(parts.map((part, index) => [`f${index}`, part(bytes / parts.length / 2)])),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.values(places)), mixed, (place, value) =>
        expectQuick(() => place(value)),
      ),
      { seed: 20_261_121, numRuns: 200, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false },
    );
  }, 60_000);
});
