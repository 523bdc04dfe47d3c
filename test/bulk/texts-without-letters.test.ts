import { expect, it } from 'vitest';
import { csv, importFile } from '../import-export/import/import-file.ts';
import { useSharedServer } from '../support/server.ts';
import { bulkOf } from './mutations.ts';

const server = useSharedServer();
const { update, undo } = bulkOf(server);

// A locale of the C library takes most of a second to compare two such descriptions, and as long for some tens of names.
const [smiling = '', cool = '', crying = ''] = ['\u{1f600}', '\u{1f60e}', '\u{1f62d}'];
const long = (sign: string): string => sign.repeat(2_000);

it('long texts without letters are imported, changed, undone and compared in time, in any locale of the database', async () => {
  const places = Array.from({ length: 40 }, (_, place) => place);
  const imported = async (description: string, query: Record<string, string> = {}) => {
    const rows = places.map((place) => `C,Computing,4 Years,${cool.repeat(240)}${place},${description},1,,`);
    return (await importFile(server, csv(...rows), { query })).body;
  };
  expect(await imported(long(smiling))).toMatchObject({ branches: { created: 40 } });
  const before = new Date().toISOString();
  expect(await imported(long(cool), { update: 'true' })).toMatchObject({ branches: { changed: 40 } });

  const ids = (await server.database.query('SELECT id FROM branches')).map(({ id }) => Number(id));
  const { changeId, changed } = await update('updateBranches', ids, { description: long(crying) });
  expect(changed).toBe(40);
  const { body } = await server.graphql(`{
    changeLog(first: 1) { nodes { changes { fields } } }
    compareCatalogs(from: { at: "${before}" }, to: { now: true }) { changed }
  }`);
  expect(body.errors).toBeUndefined();
  expect(body.data.compareCatalogs).toEqual({ changed: 40 });
  expect(await undo(changeId)).toMatchObject({ undone: 40, leftCount: 0 });
});
