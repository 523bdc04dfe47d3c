import { migrate } from '@service/postgres/migrations/migrate';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrations } from '../../src/database/open-postgres.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

const ordered = [
  '“Applied” Arts',
  '2nd Semester',
  '10th Semester',
  'algebra',
  'Álgebra lineal',
  'Arts & Sciences',
  'Arts and Sciences',
  'Arts and Tourism',
  'Ästhetik',
  'Botany',
  'Đại học',
  'Dance',
  'Etude',
  'Étude',
  'étude',
  'Level 2',
  'Level 2.9',
  'Level 2.10',
  'Level 02b',
  'Level 10',
  'Level 123456789012345678901',
  'Level 1234567890123456789012',
  'Łódź',
  'Loire',
  'ñandu',
  'Nz',
  'Zoology',
  'Физика',
  'स्तर २',
  'स्तर १०',
];

describe.each([
  ['the embedded PostgreSQL', ''],
  ['LC_CTYPE=C', "TEMPLATE template0 LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C' ENCODING 'UTF8'"],
  ['the Turkish locale', "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr' ENCODING 'UTF8'"],
])('in a database with the locale of %s', (_locale, settings) => {
  let own: TestDatabase;
  beforeAll(async () => {
    own = await createTestDatabase(...(settings === '' ? ([] as const) : ([null, settings] as const)));
    await migrate(own.url, migrations);
    await own.query("INSERT INTO programs (name, duration) SELECT unnest($1::text[]), '1'", [ordered.toReversed()]);
  });
  afterAll(() => own.close());

  it('names are in the order of people: without case and accents first, numbers by value', async () => {
    const rows = await own.query('SELECT name FROM programs ORDER BY sorted_name, id');
    expect(rows.map(({ name }) => name)).toEqual(ordered);
  });

  it('the keys of random texts have each number after its count of digits', async () => {
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(...'aBü -', ...'0012345678999'), maxLength: 300 }), 500);
    const rows = await own.query(
      'SELECT sort_key(text) AS key FROM unnest($1::text[]) WITH ORDINALITY AS given (text)',
      [texts],
    );
    expect(rows.map(({ key }) => key)).toEqual(texts.map((text) => `${keyOf(text)}\u0001${text}`));
  });

  it('the numbers in names are in the order of their values, and each name has room in the index', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 0n, max: 10n ** 60n }),
        fc.bigInt({ min: 0n, max: 10n ** 60n }),
        async (a, b) => {
          const [row] = await own.query('SELECT sort_key($1) < sort_key($2) AS less', [`Level ${a} x`, `Level ${b} x`]);
          expect(row?.['less']).toBe(a < b);
        },
      ),
      { numRuns: inject('thorough') ? 30 : 10 },
    );
    for (const character of ['\ufdfa', '𝔘', '9', '9a', '㌀', 'ΐ', '👩']) {
      await own.query("INSERT INTO programs (name, duration, deleted_at) VALUES ($1, '1', now())", [
        [...character.repeat(255)].slice(0, 255).join(''),
      ]);
    }
  });
});

/** The key of a text of these letters: each number after its count of digits, without leading zeros. */
const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ü', 'u')
    .replace(/[0-9]+/g, (number) => {
      const digits = number.replace(/^0+/, '');
      return (digits.length < 9 ? `${digits.length}` : `9${String(digits.length).padStart(3, '0')}`) + digits;
    })
    .slice(0, 255);

describe('lists of names', () => {
  const server = useSharedServer();
  beforeAll(() =>
    server.database.query("INSERT INTO programs (name, duration) SELECT unnest($1::text[]), '1'", [
      ordered.toReversed(),
    ]),
  );

  it.each(['NAME_ASC', 'NAME_DESC'])(
    'in the order %s have the same pages by cursor in both directions',
    async (orderBy) => {
      const wanted = orderBy === 'NAME_ASC' ? ordered : ordered.toReversed();
      const query = `query ($first: Int, $after: String, $last: Int, $before: String) { programsConnection(
      orderBy: ${orderBy}, first: $first, after: $after, last: $last, before: $before
    ) { nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
      const read = async (variables: object) => {
        const { body } = await server.graphql(query, variables);
        expect(body.errors).toBeUndefined();
        const { nodes, pageInfo } = body.data.programsConnection;
        return { names: nodes.map(({ name }: { name: string }) => name), pageInfo };
      };
      const forwards: string[] = [];
      const backwards: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { names, pageInfo } = await read({ first: 4, after });
        forwards.push(...names);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      for (let before: string | null = null, more = true; more; ) {
        const { names, pageInfo } = await read({ last: 7, before });
        backwards.unshift(...names);
        [before, more] = [pageInfo.startCursor, pageInfo.hasPreviousPage];
      }
      expect([forwards, backwards]).toEqual([wanted, wanted]);
    },
  );
});
