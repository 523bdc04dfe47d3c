import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { subscribe } from '../support/event-stream.ts';
import { startTwoServers, type TestServer } from '../support/server.ts';
import { errorBody, statusAndBody } from './expectations.ts';

const path = '/api/academics/programs';
const stillRunning = errorBody(409, 'The first request with this Idempotency-Key is still running.');
const otherBody = errorBody(422, 'This Idempotency-Key was used before with another body.');

let database: TestDatabase;
let servers: readonly [TestServer, TestServer];
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, servers, close } = await startTwoServers());
});
afterAll(() => close());

interface Sent {
  readonly name: string;
  readonly key: string | null;
  readonly at: 0 | 1;
  readonly requestId: string;
}

async function send({ name, key, at, requestId }: Sent) {
  const request = servers[at].rest('post', path).set('X-Request-Id', requestId);
  const answer = await (key === null ? request : request.set('Idempotency-Key', key)).send({
    name,
    duration: '4 Years',
  });
  return { name, key, requestId, answer, isReplay: answer.headers['idempotency-replayed'] === 'true' };
}

type Answered = Awaited<ReturnType<typeof send>>;
const isMade = ({ answer, isReplay }: Answered): boolean => answer.status === 201 && !isReplay;

/** Programs and their entries in the audit log, as they are stored. */
const persistedOperations = () =>
  database.query(`SELECT programs.id, programs.name, request_id AS "requestId", after ->> 'name' AS "notedName"
    FROM programs FULL JOIN audit_entries ON subject = 'Program' AND subject_id = programs.id ORDER BY request_id`);

let runs = 0;
const request = fc.record({
  name: fc.constantFrom('Physics', 'Chemistry'),
  key: fc.constantFrom(null, null, 'a', 'b', 'c'),
  at: fc.constantFrom<(0 | 1)[]>(0, 1),
});

describe('creates that are sent at the same moment, to two instances', () => {
  it('each make their own program, or none, with its entry in the audit log', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 60 }), async (requests) => {
        runs += 1;
        await database.query('TRUNCATE programs, branches, branch_years, idempotency_records');
        const before = await persistedOperations();
        const answers = await Promise.all(
          requests.map(({ name, key, at }, index) =>
            send({ name, key: key && `${key}${runs}`, at, requestId: `${runs}.${1_000 + index}` }),
          ),
        );

        for (const answered of answers) expectSound(answered, answers);
        const made = answers.filter(isMade).map(({ answer, name, requestId }) => {
          expect(answer.body).toEqual({ id: answer.body.id, name, duration: '4 Years' });
          return { id: answer.body.id, name, requestId, notedName: name };
        });
        const isNew = (row: object) => !before.some((old) => old['requestId'] === Reflect.get(row, 'requestId'));
        expect((await persistedOperations()).filter(isNew)).toEqual(made);
      }),
      { numRuns: 25 },
    );
  });

  /** One that has a key fares as those with the same key do. */
  function expectSound(answered: Answered, all: readonly Answered[]): void {
    const { answer, key, name } = answered;
    const [first, ...others] = all.filter(
      (other) => isMade(other) && (key === null ? other === answered : other.key === key),
    );
    expect(others).toEqual([]);
    if (key === null || answer.status === 201) expect(answer.text).toBe(first?.answer.text);
    else expect([stillRunning, otherBody]).toContainEqual(statusAndBody(answer));
    if (answer.status === 422) expect(first?.name).not.toBe(name);
  }

  it('are told one by one to those who follow the catalog', async () => {
    const stream = await subscribe(servers[1], 'subscription { catalogChanged { action programId } }');
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        send({ name: `Told ${index}`, key: `told-${index}`, at: 0, requestId: `told.${index}` }),
      ),
    );

    const told = new Set<unknown>();
    for (const _ of answers) told.add(await stream.result());
    expect(told).toEqual(
      new Set(
        answers.map(({ answer: { body } }) => ({
          data: { catalogChanged: { action: 'CREATED', programId: body.id } },
        })),
      ),
    );
  });
});
