import { lockTable } from '@service/postgres/testing/table-lock';
import { describe, expect, it } from 'vitest';
import { clientForTest, useEmptiedDatabase } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

const own = useEmptiedDatabase();

/** The words that are counted, and those of the names of existing records. */
async function wordsNow() {
  const counted =
    'SELECT word, sum(count)::int AS count FROM search_words GROUP BY word HAVING sum(count) <> 0 ORDER BY word COLLATE "C"';
  const there = `SELECT word, count(*)::int AS count FROM (
      SELECT name FROM programs WHERE deleted_at IS NULL UNION ALL SELECT name FROM branches WHERE deleted_at IS NULL
    ) AS named CROSS JOIN search_words_of(name) AS word GROUP BY word ORDER BY word COLLATE "C"`;
  return { counted: await own.query(counted), there: await own.query(there) };
}

async function expectCounted(): Promise<readonly unknown[]> {
  const { counted, there } = await wordsNow();
  expect(counted).toEqual(there);
  return counted;
}

const make = (...names: string[]) =>
  own.query("INSERT INTO programs (name, duration) SELECT unnest($1::text[]), '1'", [names]);

describe('the words of names', () => {
  it.each([
    ['a rename', "UPDATE programs SET name = 'Astronomy' WHERE name LIKE 'Bot%'"],
    ['a change of another column', "UPDATE programs SET duration = '2'"],
    ['a deletion', "UPDATE programs SET deleted_at = now() WHERE name LIKE 'Bot%'"],
    ['a deletion of all', 'UPDATE programs SET deleted_at = now()'],
    ['a restoration', 'UPDATE programs SET deleted_at = now(); UPDATE programs SET deleted_at = NULL'],
    ['a rename of a deleted one', "UPDATE programs SET deleted_at = now(); UPDATE programs SET name = 'Physics'"],
    ['a removal', "DELETE FROM programs WHERE name LIKE 'Bot%'"],
    ['a removal of all', 'TRUNCATE programs CASCADE'],
    ['a branch', "INSERT INTO branches (program_id, name) SELECT id, name || ' of plants' FROM programs"],
    [
      'branches that are removed',
      'INSERT INTO branches (program_id, name) SELECT id, name FROM programs; DELETE FROM branches',
    ],
    [
      'branches that are emptied',
      "INSERT INTO branches (program_id, name) SELECT id, 'Optics' FROM programs; TRUNCATE branches CASCADE",
    ],
  ])('are those of existing records after %s', async (_what, sql) => {
    await make('Botany of Flowers', 'Flowers and Flowers', 'Zoölogy');
    await own.query(sql);
    await expectCounted();
  });

  it('leave no row behind when their records are gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      await make('Botany', 'Botany of Flowers');
      await own.query("UPDATE programs SET name = 'Zoology ' || id WHERE deleted_at IS NULL");
      await own.query('UPDATE programs SET deleted_at = now()');
    }
    expect(await own.query('SELECT * FROM search_words')).toEqual([]);
  });

  it('are counted in transactions at the same time, of which none waits for another', async () => {
    await make('Botany');
    const [one, other] = [await clientForTest(own.url), await clientForTest(own.url)];
    await one.query("BEGIN; INSERT INTO programs (name, duration) VALUES ('Botany', '1')");
    await other.query("SET lock_timeout = 1; BEGIN; INSERT INTO programs (name, duration) VALUES ('Botany', '1')");
    await other.query('COMMIT');
    await one.query("UPDATE programs SET name = 'Zoology'");
    await one.query('COMMIT');
    expect(await expectCounted()).toEqual([{ word: 'zoology', count: 3 }]);
    await own.query('UPDATE programs SET deleted_at = now()');
    expect(await own.query('SELECT * FROM search_words')).toEqual([]);
  });
});

describe('a search for similar words', () => {
  const server = useSharedServer();

  it.each([
    'programs(filter: { search: "mangement" }) { count }',
    'a: programs(filter: { search: "mangement" }) { count } b: programs { count }',
  ])('that takes too long finds nothing, and no error: %s', async (fields) => {
    await server.make.program({ name: 'Hotel Management' });
    const lock = await lockTable(server.database, 'search_words', 'ACCESS EXCLUSIVE');
    const { body } = await server.graphql(`{ ${fields} }`);
    expect(body.errors).toBeUndefined();
    expect(Object.values(body.data)[0]).toEqual({ count: 0 });
    await lock.release();
    expect(
      (await server.graphql('{ programs(filter: { search: "managment" }) { count } }')).body.data.programs.count,
    ).toBeGreaterThan(0);
  });
});
