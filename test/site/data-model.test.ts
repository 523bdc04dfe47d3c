import { expect, it } from 'vitest';
import { readTables } from '../../site/docs/data-model.ts';
import { dataModelPage } from '../../site/docs/data-model-page.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

it('the picture of the data model has each column of the database, and says which may be null', async () => {
  const rows = await database.query(`
    SELECT table_name AS "table", column_name AS "name", is_nullable = 'YES' AS "mayBeNull"
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`);
  const read = readTables().flatMap(({ name: table, columns }) =>
    columns.map(({ name, mayBeNull }) => ({ table, name, mayBeNull })),
  );
  const [, picture = ''] = dataModelPage([]).split(/<\/?svg/);
  const drawn = Array.from(picture.matchAll(/<text(?: class="key")? x="10" y="\d+">(\w+)</g), ([, name]) => name);

  const inOrder = (columns: readonly object[]) => columns.map((column) => JSON.stringify(column)).toSorted();
  expect(inOrder(read)).toEqual(inOrder(rows));
  expect(drawn.toSorted()).toEqual(read.map(({ name }) => name).toSorted());
});

it('a table hangs below the one that its rows belong to', () => {
  const parents = readTables().flatMap(({ name, parent }) => (parent === undefined ? [] : [[name, parent]]));

  expect(parents).toEqual([
    ['branches', 'programs'],
    ['branch_years', 'branches'],
    ['api_keys', 'users'],
    ['edition_chunks', 'editions'],
    ['attribute_choices', 'attribute_definitions'],
  ]);
});
