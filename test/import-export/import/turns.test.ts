import { EventEmitter, once } from 'node:events';
import { waitingForLocks } from '@service/postgres/testing/table-lock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createImporter } from '../../../src/academics/import-export/import/importer.ts';
import { advisoryLocks } from '../../../src/database/locks.ts';
import { clientForTest, emptyCatalog, useDatabase } from '../../support/database.ts';
import { csv, givenFile } from './import-file.ts';

const database = useDatabase();
beforeEach(() => database.query(emptyCatalog));

const fileOf = (name: string, user: string, signal?: AbortSignal) => ({
  ...givenFile(csv(`,${name},1,,,,,`), signal),
  user,
});
const programs = async () => (await database.query('SELECT name FROM programs ORDER BY id')).map(({ name }) => name);

/** An import of the command line that takes its time. */
async function importingElsewhere() {
  const client = await clientForTest(database.url);
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${advisoryLocks.import})`);
  return { end: () => client.query('COMMIT') };
}

const waiting = (count: number) =>
  expect
    .poll(() => database.query(`SELECT 1 ${waitingForLocks}`), { timeout: 20_000, interval: 5 })
    .toHaveLength(count);

describe('an import', () => {
  it('waits for the one that runs, in order, and of one user for one at most, over all instances', async () => {
    const [here, there] = [createImporter(database.url), createImporter(database.url)];
    const other = await importingElsewhere();
    const imports = [here(fileOf('first of Ada', 'ada'))];
    await waiting(1);
    imports.push(there(fileOf('second of Ada', 'ada')));
    await waiting(2);
    imports.push(there(fileOf('of Emmy', 'emmy')));
    await waiting(3);
    await other.end();

    expect(await Promise.all(imports)).toMatchObject(Array.from({ length: 3 }, () => ({ outcome: 'imported' })));
    expect(await programs()).toEqual(['first of Ada', 'of Emmy', 'second of Ada']);
  });

  it('that waits for too long is rejected, and says when to try again', async () => {
    const other = await importingElsewhere();
    await expect(createImporter(database.url, 1)(fileOf('late', 'ada'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Another import is running. Please try again when it has finished.',
      retryAfterSeconds: 5,
    });
    await other.end();
  });

  it('of a user waits for an earlier one before it takes a connection, until its client leaves', async () => {
    const importFile = createImporter(database.url);
    const other = await importingElsewhere();
    const first = importFile(fileOf('first', 'ada'));
    await waiting(1);
    const left = new AbortController();
    const leaving = importFile(fileOf('left', 'ada', left.signal));
    const second = importFile(fileOf('second', 'ada'));
    left.abort(new Error('The client disconnected.'));
    await expect(leaving).rejects.toThrow('The client disconnected.');
    // Another user's comes after both, and stands in the queue of all before the second.
    const others = importFile(fileOf('of Emmy', 'emmy'));
    await waiting(2);
    await other.end();
    await Promise.all([first, second, others]);
    expect(await programs()).toEqual(['first', 'of Emmy', 'second']);
  });
});

describe('a dry run', () => {
  it('waits for no import, however many wait, nor for other users', async () => {
    const importFile = createImporter(database.url);
    const other = await importingElsewhere();
    const first = importFile(fileOf('of ada', 'ada'));
    await waiting(1);
    const users = ['emmy', 'grace', 'hedy'];
    const imports = users.map((user) => importFile(fileOf(`of ${user}`, user)));
    await waiting(2);
    for (const user of ['mary', 'ada']) {
      const checked = await importFile({ ...fileOf('Law', user), dryRun: true });
      expect(checked).toMatchObject({ outcome: 'checked', programs: { created: 1 } });
    }
    expect(await programs()).toEqual([]);
    await other.end();
    await Promise.all([first, ...imports]);
    expect(await programs()).toEqual(['of ada', 'of emmy', 'of grace', 'of hedy']);
  });

  it('waits for others of its user, and for those of two others', async () => {
    const importFile = createImporter(database.url);
    const went: string[] = [];
    const events = new EventEmitter();
    const held = ['ada', 'emmy'].map((user) => {
      const file = fileOf('Law', user);
      async function* late() {
        events.emit(`begun ${user}`);
        await once(events, `end ${user}`);
        yield* file.bytes;
      }
      const begun = once(events, `begun ${user}`);
      const done = importFile({ ...file, bytes: late(), dryRun: true }).then(() => went.push(user));
      return { begun, done };
    });
    await Promise.all(held.map(({ begun }) => begun));
    const next = ['ada', 'mary'].map((user) =>
      importFile({ ...fileOf('Law', user), dryRun: true }).then(() => went.push(`${user} later`)),
    );
    await importFile(fileOf('imported', 'ada'));
    events.emit('end emmy');
    await next[1];
    events.emit('end ada');
    await Promise.all([...next, ...held.map(({ done }) => done)]);
    expect(went).toEqual(['emmy', 'mary later', 'ada', 'ada later']);
  });

  it('compares a file with the catalog as it was when it began', async () => {
    const importFile = createImporter(database.url);
    const file = fileOf('Law', 'ada');
    async function* late() {
      await importFile(fileOf('Law', 'emmy'));
      yield* file.bytes;
    }
    const checked = await importFile({ ...file, bytes: late(), dryRun: true });
    expect(checked).toMatchObject({ outcome: 'checked', programs: { created: 1, unchanged: 0 } });
    expect(await programs()).toEqual(['Law']);
  });
});
