import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { useInstances } from '../support/server.ts';
import { errorBody, statusAndBody } from './expectations.ts';

const path = '/api/academics/programs';
const stillRunning = errorBody(409, 'The first request with this Idempotency-Key is still running.');
const otherBody = errorBody(422, 'This Idempotency-Key was used before with another body.');

const servers = useInstances(2);
const { database } = servers[0];

interface Sent {
  readonly name: string;
  readonly key: string | null;
  readonly at: 0 | 1;
  readonly requestId: string;
}

async function send({ name, key, at, requestId }: Sent) {
  const request = servers[at].rest('post', path).set('X-Request-Id', requestId);
  const response = await (key === null ? request : request.set('Idempotency-Key', key)).send({
    name,
    duration: '4 Years',
  });
  return { name, key, requestId, response, isReplay: response.headers['idempotency-replayed'] === 'true' };
}

type Outcome = Awaited<ReturnType<typeof send>>;
const isCreated = ({ response, isReplay }: Outcome): boolean => response.status === 201 && !isReplay;

/** Programs and their audit log entries, from the database. */
const storedPrograms = () =>
  database.query(`SELECT programs.id, programs.name, request_id AS "requestId", after ->> 'name' AS "notedName"
    FROM programs FULL JOIN audit_entries ON subject = 'Program' AND subject_id = programs.id ORDER BY request_id`);

let runs = 0;
const request = fc.record({
  name: fc.constantFrom('Physics', 'Chemistry'),
  key: fc.constantFrom(null, null, 'a', 'b', 'c'),
  at: fc.constantFrom<(0 | 1)[]>(0, 1),
});

describe('concurrent creates on two instances', () => {
  it('each create one program or none, with its audit log entry', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 60 }), async (requests) => {
        runs += 1;
        await database.query('TRUNCATE programs, branches, branch_years, notes, idempotency_records');
        const before = await storedPrograms();
        const outcomes = await Promise.all(
          requests.map(({ name, key, at }, index) =>
            send({ name, key: key && `${key}${runs}`, at, requestId: `${runs}.${1_000 + index}` }),
          ),
        );

        for (const outcome of outcomes) expectConsistent(outcome, outcomes);
        const created = outcomes.filter(isCreated).map(({ response, name, requestId }) => {
          expect(response.body).toEqual({ id: response.body.id, name, duration: '4 Years' });
          return { id: response.body.id, name, requestId, notedName: name };
        });
        const isNew = (row: object) => !before.some((old) => old['requestId'] === Reflect.get(row, 'requestId'));
        expect((await storedPrograms()).filter(isNew)).toEqual(created);
      }),
      { numRuns: 10 },
    );
  });

  /** Requests with the same key must have the same outcome. */
  function expectConsistent(outcome: Outcome, all: readonly Outcome[]): void {
    const { response, key, name } = outcome;
    const [first, ...others] = all.filter(
      (other) => isCreated(other) && (key === null ? other === outcome : other.key === key),
    );
    expect(others).toEqual([]);
    if (key === null || response.status === 201) expect(response.text).toBe(first?.response.text);
    else expect([stillRunning, otherBody]).toContainEqual(statusAndBody(response));
    if (response.status === 422) expect(first?.name).not.toBe(name);
  }

  it('are published one by one to a subscriber of the other instance', async () => {
    const stream = await subscribe(servers[1], 'subscription { catalogChanged { action programId } }');
    const outcomes = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        send({ name: `Created ${index}`, key: `created-${index}`, at: 0, requestId: `created.${index}` }),
      ),
    );

    const events = new Set<unknown>();
    for (const _ of outcomes) events.add(await stream.result());
    expect(events).toEqual(
      new Set(
        outcomes.map(({ response: { body } }) => ({
          data: { catalogChanged: { action: 'CREATE', programId: body.id } },
        })),
      ),
    );
  });
});
