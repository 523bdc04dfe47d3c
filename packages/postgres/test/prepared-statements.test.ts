import { expect, it, onTestFinished } from 'vitest';
import { openPipelinedPool, type PipelinedPool } from '../src/pool.ts';
import { preparedLengthMax, preparedLengthsMax } from '../src/prepared-statements.ts';
import { queryRows, RawConnection } from '../src/sql.ts';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

function opened(): PipelinedPool {
  const pool = openPipelinedPool(database.url, { connectionCount: 1 });
  onTestFinished(() => pool.close());
  return pool;
}

/** The lengths of what the connection has prepared. */
async function prepared(pool: PipelinedPool): Promise<number[]> {
  const { rows } = await pool.query<{ length: number }>({
    text: 'SELECT length(statement) FROM pg_prepared_statements ORDER BY prepare_time',
  });
  return rows.map(({ length }) => length);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const textOf = (number: number, length: number): string => `SELECT $1::int + ${number} AS sum -- `.padEnd(length, '-');

it('a connection keeps prepared statements of a limited length together, and prepares again what it has closed', async () => {
  const pool = opened();
  const length = 2_000;
  const read = async (number: number): Promise<number> => {
    const statement = { name: `statement ${number}`, text: textOf(number, length), values: [1] };
    return (await pool.query<{ sum: number }>(statement)).rows[0]?.sum ?? 0;
  };
  const numbers = Array.from({ length: (4 * preparedLengthsMax) / length }, (_, index) => index);
  for (const number of numbers) expect(await read(number)).toBe(number + 1);
  const lengths = await prepared(pool);
  expect(sumOf(lengths)).toBeLessThanOrEqual(preparedLengthsMax);
  expect(lengths.length).toBeGreaterThan((0.9 * preparedLengthsMax) / length);

  expect(await Promise.all(numbers.map(read))).toEqual(numbers.map((number) => number + 1));
  // A longer one takes the place of several.
  const long = { name: 'long', text: textOf(1, preparedLengthsMax / 2), values: [1] };
  await pool.query(long);
  expect(sumOf(await prepared(pool))).toBeLessThanOrEqual(preparedLengthsMax);
});

it('a long statement is not prepared', async () => {
  const pool = opened();
  const db = new RawConnection({ connection: pool });
  for (const length of [preparedLengthMax, preparedLengthMax + 1]) {
    const statement = { name: `of ${length} characters`, text: textOf(0, length), values: [1] };
    expect(await queryRows(db, statement)).toEqual([{ sum: 1 }]);
  }
  expect(await prepared(pool)).toEqual([preparedLengthMax]);
});
