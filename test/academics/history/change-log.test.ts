import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { csv, importFile } from '../../import-export/import/import-file.ts';
import { emptyCatalog, emptyLog } from '../../support/database.ts';
import { adminKey, useSharedServer } from '../../support/server.ts';

const server = useSharedServer();
beforeEach(() => server.database.query(`${emptyCatalog}; ${emptyLog}`));

interface Row {
  readonly actor: string;
  readonly programs: number;
  readonly branches: number;
  readonly changes: readonly Record<string, unknown>[];
}

interface Page {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const query = `query ($filter: ChangeLogFilter, $first: Int!, $after: String) {
  changeLog(filter: $filter, first: $first, after: $after) {
    nodes { at since actor programs branches changes { changeId action name kind recordId created changed undoes undoneBy } }
    pageInfo { hasNextPage endCursor }
  }
}`;

async function readPage(filter: object = {}, first = 100, after: string | null = null, key = adminKey): Promise<Page> {
  const { body } = await server.graphql(query, { filter, first, after }, key);
  return body.data?.changeLog ?? body;
}

async function readRows(filter: object = {}, first = 100): Promise<string[]> {
  const lines: string[] = [];
  for (let after: string | null = null, hasNext = true; hasNext; ) {
    const { nodes, pageInfo } = await readPage(filter, first, after);
    lines.push(...nodes.map(lineOf));
    ({ endCursor: after, hasNextPage: hasNext } = pageInfo);
  }
  return lines;
}

const lineOf = ({ actor, programs, branches, changes }: Row): string =>
  `${actor} ${String(changes[0]?.['action']).toLowerCase()} ${programs}+${branches}: ${changes.map(({ name }) => name).join(' ')}`;

interface Entry {
  readonly minute: number;
  readonly actor: string;
  readonly name: string;
  readonly action?: string;
  readonly subject?: string;
  readonly changeId?: string;
}

/** Writes entries of the audit log, of the given minutes of an hour long ago. */
const write = (...entries: readonly Entry[]) =>
  server.database.query(
    `INSERT INTO audit_entries (at, actor, action, subject, subject_id, change_id, after)
    SELECT timestamptz '2020-01-01Z' + minute * interval '1 minute', actor, coalesce(action, 'create'),
      coalesce(subject, 'Program'), 999, coalesce("changeId", gen_random_uuid()), json_build_object('name', name)
    FROM jsonb_to_recordset($1::jsonb) AS entry (minute float, actor text, name text, action text, subject text, "changeId" uuid)`,
    [JSON.stringify(entries)],
  );

describe('the change log', () => {
  it('has imports, undone changes and changes of many as one row each, with their numbers', async () => {
    const program = await server.make.program({ name: 'Physics' });
    const lines = Array.from({ length: 10 }, (_, n) => `,Program ${n},4 Years,Branch ${n},,3,,`);
    await importFile(server, csv(...lines, ',Physics,4 Years,,,,,'), { query: { fileName: 'many.csv' } });
    const { nodes } = await readPage();
    const [imported] = nodes[0]?.changes ?? [];
    expect(imported).toMatchObject({ action: 'IMPORT', created: 20, changed: 0, undoneBy: null });

    await server.graphql('mutation ($id: ID!) { undoChange(changeId: $id) { undone } }', {
      id: imported?.['changeId'],
    });
    await server.graphql(
      `mutation { updatePrograms(ids: [${program.id}], input: { duration: "5 Years" }) { changed } }`,
    );

    const [updated, undone, done] = (await readPage()).nodes;
    expect(updated).toMatchObject({ programs: 1, branches: 0, changes: [{ action: 'UPDATE', name: 'Physics' }] });
    expect(undone).toMatchObject({ programs: 10, branches: 10, changes: [{ undoes: imported?.['changeId'] }] });
    expect(done?.changes).toEqual([{ ...imported, undoneBy: undone?.changes[0]?.['changeId'] }]);
  });

  it('has the single creations of a sitting as one row, though others change something meanwhile', async () => {
    const bulk = randomUUID();
    await write(
      { minute: 0, actor: 'ada', name: 'before' },
      { minute: 40, actor: 'ada', name: 'one' },
      { minute: 41, actor: 'ben', name: 'other', action: 'update' },
      { minute: 42, actor: 'ben', name: 'bens' },
      { minute: 60, actor: 'ada', name: 'two', subject: 'Branch' },
      { minute: 61, actor: 'ada', name: 'two', subject: 'Branch', action: 'update' },
      { minute: 62, actor: 'ada', name: 'many', changeId: bulk },
      { minute: 62, actor: 'ada', name: 'many', changeId: bulk },
      { minute: 89, actor: 'ada', name: 'three' },
    );
    const rows = [
      'ada create 2+1: three two one',
      'ada create 2+0: many',
      'ada update 0+1: two',
      'ben create 1+0: bens',
      'ben update 1+0: other',
      'ada create 1+0: before',
    ];
    expect(await readRows()).toEqual(rows);
    for (const first of [1, 2, 3, 4]) expect(await readRows({}, first)).toEqual(rows);
  });

  it('is the same in pages of any size, whoever works at the same time', async () => {
    const names = ['ada', 'ben', 'cyd'];
    let state = 7;
    const random = (max: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * max);
    };
    let minute = 0;
    await write(
      ...Array.from({ length: 250 }, (_, n) => {
        minute += random(4) === 0 ? random(60) : random(3);
        return { minute, actor: names[random(3)] ?? '', name: `n${n}`, action: random(3) === 0 ? 'update' : 'create' };
      }),
    );
    const rows = await readRows({}, 100);
    expect(rows.flatMap((row) => row.split(': ')[1]?.split(' ') ?? []).toSorted()).toEqual(
      Array.from({ length: 250 }, (_, n) => `n${n}`).toSorted(),
    );
    for (const first of [2, 7, 40]) expect(await readRows({}, first)).toEqual(rows);
  });

  it('ends a row at 200 creations, and a page that has read 2,000 changes', async () => {
    await write(...Array.from({ length: 2_100 }, (_, n) => ({ minute: n / 10, actor: 'sync', name: `n${n}` })));
    const { nodes, pageInfo } = await readPage({}, 20);
    expect(nodes.map(({ programs }) => programs)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(pageInfo.hasNextPage).toBe(true);
    expect((await readPage({}, 20, pageInfo.endCursor)).nodes.map(({ programs }) => programs)).toEqual([100]);
    const none = await readPage({ actions: ['IMPORT'], since: '2020-01-01T00:00:00Z' });
    expect(none).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  it('is filtered by period, person, kind of change, type of record and program', async () => {
    const physics = await server.make.program({ name: 'Physics' });
    const branch = await server.make.branch(physics.id, { name: 'Optics' });
    const other = await server.make.program({ name: 'Other' });
    await server.graphql(`mutation { updateBranch(id: ${branch.id}, input: { programId: ${other.id} }) { id } }`);
    await importFile(server, csv(`,Physics,4 Years,Acoustics,,3,,`));
    await write({ minute: 0, actor: 'ada', name: 'old' }, { minute: 1, actor: 'ada', name: 'old', action: 'delete' });

    const day = { since: '2020-01-01T00:00:00Z', until: '2020-01-01T00:01:00Z' };
    expect(await readRows(day)).toEqual(['ada create 1+0: old']);
    expect(await readRows({ actor: 'ada' })).toEqual(['ada delete 1+0: old', 'ada create 1+0: old']);
    const imported = 'admin import 0+1: Acoustics';
    const created = 'admin create 2+1: Other Optics Physics';
    const moved = 'admin update 0+1: Optics';
    expect(await readRows({ actions: ['CREATE', 'IMPORT'] })).toEqual([imported, created, 'ada create 1+0: old']);
    expect(await readRows({ actions: ['IMPORT'], kind: 'PROGRAM' })).toEqual([]);
    expect(await readRows({ actions: ['IMPORT'], kind: 'BRANCH' })).toEqual([imported]);
    expect(await readRows({ kind: 'BRANCH' })).toEqual([imported, moved, 'admin create 0+1: Optics']);
    expect(await readRows({ programId: other.id })).toEqual([moved, 'admin create 1+0: Other']);
    expect(await readRows({ programId: physics.id, actions: ['IMPORT'] })).toEqual([imported]);
    expect(await readRows({ programId: physics.id }, 1)).toEqual([imported, moved, 'admin create 1+1: Optics Physics']);
  });

  it('is for those who may edit, and has no changes of users', async () => {
    const key = await server.makeKey({ role: 'editor', user: 'ed', readOnly: true });
    const viewer = await server.makeKey({ role: 'viewer', user: 'vi' });
    await server.graphql('mutation { createUser(input: { name: "x", role: VIEWER }) { id } }');
    expect(await readPage({}, 1, null, key)).toMatchObject({ nodes: [] });
    expect(await readPage({}, 1, null, viewer)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    for (const after of ['x', Buffer.from('["2020-01-01T00:00:00.000Z",1]').toString('base64url')])
      expect(await readPage({}, 101, after)).toMatchObject({
        errors: [{ extensions: { errors: { first: expect.anything(), after: expect.anything() } } }],
      });
  });

  it('leads to the entries of a change', async () => {
    const { id } = await server.make.program({ name: 'Physics' });
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    const changeId = (await readPage({}, 1)).nodes[0]?.changes[0]?.['changeId'];
    const { body } = await server.graphql(
      'query ($id: ID!) { changeEntries(changeId: $id) { totalCount nodes { action subjectId undoneBy undoes } } }',
      { id: changeId },
    );
    const node = { action: 'DELETE', subjectId: id, undoneBy: null, undoes: null };
    expect(body.data.changeEntries).toEqual({ totalCount: 1, nodes: [node] });
  });
});

it('says in the history of a record which changes were undone, of those that the undo has not left as they are', async () => {
  const [one, two] = [await server.make.program(), await server.make.program()];
  const ids = `[${one.id}, ${two.id}]`;
  const { body } = await server.graphql(
    `mutation { updatePrograms(ids: ${ids}, input: { duration: "5 Years" }) { changeId } }`,
  );
  await server.graphql(`mutation { updateProgram(id: ${two.id}, input: { duration: "6 Years" }) { id } }`);
  const { changeId } = body.data.updatePrograms;
  const undone = await server.graphql('mutation ($id: ID!) { undoChange(changeId: $id) { changeId } }', {
    id: changeId,
  });
  const undoId = undone.body.data.undoChange.changeId;

  const history = async (id: number) => {
    const read = await server.graphql(`{ program(id: ${id}) { history { nodes { action undoneBy undoes } } } }`);
    return read.body.data.program.history.nodes;
  };
  const plain = { undoneBy: null, undoes: null };
  expect(await history(one.id)).toEqual([
    { action: 'UPDATE', undoneBy: null, undoes: changeId },
    { action: 'UPDATE', undoneBy: undoId, undoes: null },
    { action: 'CREATE', ...plain },
  ]);
  expect(await history(two.id)).toEqual([
    { action: 'UPDATE', ...plain },
    { action: 'UPDATE', ...plain },
    { action: 'CREATE', ...plain },
  ]);
});
