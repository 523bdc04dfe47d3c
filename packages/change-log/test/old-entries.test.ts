import { useDatabase } from '@service/postgres/testing/database';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeOldEntries } from '../src/change-log.ts';

const database = useDatabase();
beforeAll(() =>
  database.query('CREATE TABLE log (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL)'),
);
const remove = (max: number) =>
  removeOldEntries(
    { $executeRawUnsafe: async (sql) => (await database.query(`${sql} RETURNING 1`)).length },
    'log',
    max,
  );
async function ages(...given: readonly string[]): Promise<void> {
  await database.query('TRUNCATE log');
  for (const age of given) await database.query('INSERT INTO log (at) VALUES (now() - $1::interval)', [age]);
}
const left = async () =>
  (await database.query('SELECT (extract(epoch FROM now() - at) / 3600)::int AS hours FROM log ORDER BY id')).map(
    ({ hours }) => hours,
  );

describe('old log entries', () => {
  it('are deleted after a week, oldest first, except the last of them and those of the hour before it', async () => {
    await ages('200 hours', '190 hours', '180 hours', '170 hours 40 minutes', '170 hours', '167 hours', '1 second');

    expect(await remove(2)).toBe(2);
    expect(await left()).toEqual([180, 171, 170, 167, 0]);
    expect(await remove(10)).toBe(1);
    expect(await left()).toEqual([171, 170, 167, 0]);
    expect(await remove(10)).toBe(0);
  });

  it('are retained while an earlier entry is younger than a week', async () => {
    await ages('1 hour', '180 hours', '200 hours', '1 second');

    expect(await remove(10)).toBe(0);
  });

  it('are deleted but for the newest when nothing has changed for a week', async () => {
    await ages('400 hours', '300 hours', '200 hours');

    expect(await remove(10)).toBe(2);
    expect(await left()).toEqual([200]);
  });
});
