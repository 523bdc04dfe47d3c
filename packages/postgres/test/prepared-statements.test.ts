import { expect, it } from 'vitest';
import { openPipelinedPool } from '../src/pool.ts';
import { preparedMax } from '../src/prepared-statements.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

it('a connection keeps a limited number of prepared statements, and prepares again what it has closed', async () => {
  const pool = openPipelinedPool(database.url);
  try {
    const read = async (number: number): Promise<number> => {
      const statement = { name: `statement ${number}`, text: `SELECT $1::int + ${number} AS sum`, values: [1] };
      return (await pool.query<{ sum: number }>(statement)).rows[0]?.sum ?? 0;
    };
    const numbers = Array.from({ length: 4 * preparedMax }, (_, index) => index);
    expect(await Promise.all(numbers.map(read))).toEqual(numbers.map((number) => number + 1));
    for (const number of numbers) expect(await read(number)).toBe(number + 1);
    const { rows } = await pool.query({ text: 'SELECT count(*)::int AS count FROM pg_prepared_statements' });
    expect(rows).toEqual([{ count: preparedMax }]);
  } finally {
    await pool.close();
  }
});
