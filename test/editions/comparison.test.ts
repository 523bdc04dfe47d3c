import { describe, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { clientForTest } from '../support/database.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const comparison = `created deleted renamed moved changed records {
  change { kind recordId action name programId programName fields { field label before after } } lastActor lastAt lastChangeId
}`;

const compare = async (from: object, to: object, key = adminKey) =>
  (
    await server.graphql(
      `query ($from: CatalogPoint!, $to: CatalogPoint!) { compareCatalogs(from: $from, to: $to) { ${comparison} } }`,
      { from, to },
      key,
    )
  ).body;

const mutate = async (fields: string) => {
  const { body } = await server.graphql(`mutation { ${fields} }`);
  expect(body.errors).toBeUndefined();
  return body.data;
};

const field = (name: string, before: unknown, after: unknown) => ({ field: name, label: null, before, after });

describe('a comparison', () => {
  it('counts and lists what differs, old and new, with who changed it last between the two states', async () => {
    const science = await server.make.program({ name: 'Science', duration: '3 Years' });
    const arts = await server.make.program({ name: 'Arts', duration: '2 Years' });
    const gone = await server.make.program({ name: 'Gone', duration: '1 Year' });
    const optics = await server.make.branch(science.id, { name: 'Optics', years: 2 });
    await mutate('createEdition(name: "first") { id }');
    await mutate(
      `updateProgram(id: ${science.id}, input: { name: "Sciences", attributes: [{ key: "level", value: "6" }] }) { id }`,
    );
    await mutate(`updateBranch(id: ${optics.id}, input: { programId: ${arts.id}, years: 3 }) { id }`);
    await mutate(`updateProgram(id: ${arts.id}, input: { duration: "4 Years" }) { id }`);
    await mutate(`deleteProgram(id: ${gone.id}) { id }`);
    const added = await server.make.program({ name: 'New', duration: '5 Years' });
    await mutate('createEdition(name: "second") { id }');
    const rows = await server.database.query(
      `SELECT to_json(at) AS at, change_id FROM audit_entries WHERE subject = 'Branch' ORDER BY id DESC LIMIT 1`,
    );

    const { data } = await compare({ edition: 'first' }, { edition: 'second' });
    const { records, ...counts } = data.compareCatalogs;
    expect(counts).toEqual({ created: 1, deleted: 1, renamed: 1, moved: 1, changed: 1 });
    const program = { kind: 'PROGRAM', programId: null, programName: null };
    expect(records.map(({ change }: { change: object }) => change)).toEqual([
      {
        ...program,
        recordId: science.id,
        action: 'UPDATE',
        name: 'Sciences',
        fields: [field('name', 'Science', 'Sciences'), field('attributes.level', null, '6')],
      },
      {
        ...program,
        recordId: arts.id,
        action: 'UPDATE',
        name: 'Arts',
        fields: [field('duration', '2 Years', '4 Years')],
      },
      {
        ...{
          kind: 'BRANCH',
          recordId: optics.id,
          action: 'UPDATE',
          name: 'Optics',
          programId: arts.id,
          programName: 'Arts',
        },
        fields: [field('years', 2, 3), field('programId', science.id, arts.id)],
      },
      {
        ...program,
        recordId: gone.id,
        action: 'DELETE',
        name: 'Gone',
        fields: [field('name', 'Gone', null), field('duration', '1 Year', null)],
      },
      {
        ...program,
        recordId: added.id,
        action: 'CREATE',
        name: 'New',
        fields: [field('name', null, 'New'), field('duration', null, '5 Years')],
      },
    ]);
    expect(records[2]).toMatchObject({
      lastActor: 'admin',
      lastAt: new Date(String(rows[0]?.['at'])).toISOString(),
      lastChangeId: rows[0]?.['change_id'],
    });
  });

  it('is the same of an instant and now as of editions made then', async () => {
    const editions = (await server.graphql('{ editions { name at } }')).body.data.editions;
    const first = editions.find(({ name }: { name: string }) => name === 'first');
    const expected = (await compare({ edition: 'first' }, { edition: 'second' })).data;

    expect((await compare({ at: first.at }, { now: true })).data).toEqual(expected);
    expect((await compare({ edition: 'first' }, { now: true })).data).toEqual(expected);
    expect((await compare({ now: true }, { now: true })).data.compareCatalogs).toEqual({
      created: 0,
      deleted: 0,
      renamed: 0,
      moved: 0,
      changed: 0,
      records: [],
    });
  });

  it('names who made a change that began before the edition and ended after it, such as an import', async () => {
    const { id } = await server.make.program({ name: 'Optics', duration: '1 Year' });
    const importing = await clientForTest(server.database.url);
    await importing.query('BEGIN; SELECT CURRENT_TIMESTAMP');
    await mutate('createEdition(name: "beside an import") { id }');
    await importing.query(
      `UPDATE programs SET name = 'Light' WHERE id = ${id};
      INSERT INTO audit_entries (at, actor, action, subject, subject_id, before, after)
      SELECT CURRENT_TIMESTAMP, 'importer', 'update', 'Program', ${id}, '{"name": "Optics"}', '{"name": "Light"}'; COMMIT`,
    );
    const { data } = await compare({ edition: 'beside an import' }, { now: true });

    expect(data.compareCatalogs.records).toMatchObject([{ change: { name: 'Light' }, lastActor: 'importer' }]);
  });

  it('does not name who made a change to those who may not edit, as histories do not', async () => {
    const key = await server.makeKey({ role: 'viewer' });
    const { records } = (await compare({ edition: 'first' }, { now: true }, key)).data.compareCatalogs;

    expect(records.length).toBeGreaterThan(0);
    for (const { lastActor, lastChangeId } of records)
      expect([lastActor, typeof lastChangeId]).toEqual([null, 'string']);
  });

  it('is a workbook and a table of the command line', async () => {
    const response = await server.get('/export/comparison.xlsx?from=edition:first&to=now');
    const { out } = await runCommand(server.database.url, ['compare', 'edition:first', 'now', '--csv']);

    expect([response.status, (await response.arrayBuffer()).byteLength > 1_000]).toEqual([200, true]);
    expect(out.split('\n')[0]).toBe(
      '\ufeffkind,id,action,name,program_id,program_name,field,before,after,last_actor,last_at,last_change_id',
    );
    expect(out).toContain(',UPDATE,Sciences,,,name,Science,Sciences,admin,');
  });

  it('of a day before the log is an error of the command line, which says since when there is one', async () => {
    const { url } = server.database;
    const began = /must not be before (20\S+), when the audit log begins\.\n$/;
    for (const wordsOf of [(time: string) => ['compare', time, 'now'], (time: string) => ['export', '--as-of', time]]) {
      const { exitCode, err } = await runCommand(url, wordsOf('2001-01-01'));
      expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringMatching(began) });
      expect(await runCommand(url, wordsOf(began.exec(err)?.[1] ?? ''))).toMatchObject({ exitCode: 0 });
    }
  });

  it.each([
    ['', { from: ['from is required.'], to: ['to is required.'] }],
    [
      '?from=tomorrow&to=now',
      { from: ['from must be edition:NAME, a day (its end, UTC), a time such as 2026-11-21T09:30:00Z, or now, once.'] },
    ],
    ['?from=2999-01-01&to=now', { from: ['from must not be in the future.'] }],
  ])('says what is wrong with %j', async (query, errors) => {
    const response = await server.get(`/export/comparison.xlsx${query}`);

    expect([response.status, await response.json()]).toMatchObject([400, { errors }]);
  });

  it('takes exactly one of edition, at and now', async () => {
    for (const from of [{}, { edition: 'first', now: true }, { now: false }]) {
      expect((await compare(from, { now: true })).errors, JSON.stringify(from)).toHaveLength(1);
    }
  });
});
