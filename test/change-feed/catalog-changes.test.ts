import { setTimeout } from 'node:timers/promises';
import { removeOldEntries } from '@service/change-log/change-log';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { subscribe } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import { adminKey, type TestServer, useInstances } from '../support/server.ts';
import { createInSessions, useSessions } from './sessions.ts';

const [here, there] = useInstances(2);
const { database } = here;
const clients = useSessions(database);

interface Change {
  readonly cursor: string;
  readonly action: string;
  readonly branchId: number | null;
  readonly previousProgramId: number | null;
  readonly program: { readonly name: string } | null;
  readonly branch: { readonly name: string; readonly program: { readonly name: string } } | null;
}

interface Pulled {
  readonly changes: readonly Change[];
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly reload: boolean;
}

const query = `query ($after: String, $first: Int) { catalogChanges(after: $after, first: $first) {
  changes { cursor action branchId previousProgramId program { name } branch { name program { name } } }
  cursor hasMore reload
} }`;

async function pull(server: TestServer, variables: { after?: string; first?: number } = {}): Promise<Pulled> {
  const { body } = await server.graphql(query, variables);
  expect(body).not.toHaveProperty('errors');
  return body.data.catalogChanges;
}

/** A cursor that all changes until now are before. */
async function cursorAfterNow(): Promise<string> {
  let { cursor } = await pull(here);
  for (let more = true; more; ) {
    const page: Pulled = await pull(here, { after: cursor, first: 1_000 });
    cursor = page.cursor;
    more = page.hasMore || page.changes.length > 0 || page.reload;
  }
  return cursor;
}

const create = (name: string) =>
  database.query(`INSERT INTO programs (name, duration) VALUES ($1, '1') RETURNING id`, [name]);
const namesOf = ({ changes }: Pick<Pulled, 'changes'>) => changes.map(({ program }) => program?.name);

describe('catalogChanges', () => {
  it('gives a cursor at first, then each change since in the order of commits, with the record as it is', async () => {
    const after = await cursorAfterNow();
    const from = await there.make.program({ name: 'From' });
    const to = await there.make.program({ name: 'To' });
    const { id } = await there.make.branch(from.id, { name: 'Optics' });
    await there.graphql(`mutation { updateBranch(id: ${id}, input: { programId: ${to.id} }) { id } }`);
    await there.graphql(`mutation { deleteProgram(id: ${to.id}) { id } }`);
    await there.graphql(`mutation { restoreProgram(id: ${to.id}) { id } }`);

    const { changes, ...rest } = await pull(here, { after });

    expect(rest).toEqual({ cursor: expect.any(String), hasMore: false, reload: false });
    const branch = { name: 'Optics', program: { name: 'To' } };
    const ofProgram = (action: string, name: string) => ({ action, branchId: null, program: { name }, branch: null });
    const ofBranch = (action: string) => ({ action, branchId: id, program: { name: 'To' }, branch });
    expect(changes).toMatchObject([
      ofProgram('CREATE', 'From'),
      ofProgram('CREATE', 'To'),
      { action: 'CREATE', branchId: id, previousProgramId: null, program: { name: 'From' }, branch },
      { ...ofBranch('UPDATE'), previousProgramId: from.id },
      ofBranch('DELETE'),
      ofProgram('DELETE', 'To'),
      ofProgram('RESTORE', 'To'),
      ofBranch('RESTORE'),
    ]);
    expect(await pull(there, { after: rest.cursor })).toEqual({ ...rest, changes: [], cursor: expect.any(String) });
  });

  it('shows a record that was deleted by SQL as it last was', async () => {
    const after = await cursorAfterNow();
    const { id } = await here.make.program({ name: 'Alchemy' });
    await database.query(`INSERT INTO branches (program_id, name) VALUES ($1, 'Stones')`, [id]);
    await database.query('DELETE FROM branches WHERE program_id = $1', [id]);
    await database.query('DELETE FROM programs WHERE id = $1', [id]);

    const { changes } = await pull(here, { after });

    const stones = { name: 'Stones', program: { name: 'Alchemy' } };
    expect(changes.map(({ action, branch }) => [action, branch])).toEqual([
      ['CREATE', null],
      ['CREATE', stones],
      ['DELETE', stones],
      ['DELETE', null],
    ]);
  });

  it('ends a page within a transaction, and says whether there are more', async () => {
    const after = await cursorAfterNow();
    await database.query(`INSERT INTO programs (name, duration) VALUES ('a', '1'), ('b', '1'), ('c', '1')`);
    const first = await pull(here, { after, first: 2 });
    const second = await pull(there, { after: first.cursor, first: 2 });

    expect([namesOf(first), first.hasMore]).toEqual([['a', 'b'], true]);
    expect([namesOf(second), second.hasMore]).toEqual([['c'], false]);
  });

  it('lists up to 1,000 records of a transaction, page by page, each once', async () => {
    const after = await cursorAfterNow();
    const names = ['a', 'b', 'c'].flatMap((letter) =>
      Array.from({ length: 1_000 }, (_, index) => `${letter}${String(index).padStart(3, '0')}`),
    );
    for (const first of [0, 1_000, 2_000]) {
      await database.query(`INSERT INTO programs (name, duration) SELECT unnest($1::text[]), '1'`, [
        names.slice(first, first + 1_000),
      ]);
    }
    const found: (string | undefined)[] = [];
    let page: Pulled = { changes: [], cursor: after, hasMore: true, reload: false };
    for (const server of [here, there, here, there, here, there]) {
      page = await pull(server, { after: page.cursor, first: 700 });
      expect(page.changes.length).toBeLessThanOrEqual(700);
      found.push(...namesOf(page));
      if (!page.hasMore) break;
    }
    expect(page).toMatchObject({ hasMore: false, reload: false });
    expect(found).toEqual(names);
  });

  it('passes transactions that change nothing that stays', async () => {
    const after = await cursorAfterNow();
    for (const name of ['one', 'two', 'three'])
      await database.query(`BEGIN; INSERT INTO programs (name, duration) VALUES ('${name}', '1');
        DELETE FROM programs WHERE name = '${name}'; COMMIT`);
    await create('stays');
    let page = await pull(here, { after, first: 1 });
    while (page.hasMore && page.changes.length === 0) page = await pull(here, { after: page.cursor, first: 1 });

    expect(namesOf(page)).toEqual(['stays']);
  });

  it('is for those who may read programs, 1 to 1,000 changes at a time', async () => {
    const guest = await here.graphql(query, {}, await here.makeKey({ role: 'guest' }));
    expect(guest.body.errors[0]).toMatchObject({ message: 'You need the permission programs:read.' });
    const viewer = await here.graphql(query, { first: 1_000 }, await here.makeKey({ role: 'viewer' }));
    expect(viewer.body).not.toHaveProperty('errors');
    for (const first of [0, -1, 1_001]) {
      const { body } = await here.graphql('query ($first: Int) { catalogChanges(first: $first) { cursor } }', {
        first,
      });
      expect(body.errors[0].extensions.errors).toEqual({ first: [expect.any(String)] });
    }
  });
});

describe('a reload', () => {
  const reload = { changes: [], cursor: expect.any(String), hasMore: false, reload: true };

  it.each([
    ['no cursor', 'hello'],
    ['empty', ''],
    ['of another history', 'AAAAAAAAAAAA_1_1_1_1-1'],
    ['long', 'x'.repeat(20_000)],
  ])('is the response to a cursor that is %s, with a new one', async (_what, after) => {
    const page = await pull(here, { after });
    await create('after it');

    expect(page).toEqual(reload);
    // With what other tests have created in the second before it.
    const names: (string | undefined)[] = [];
    for (let next = { ...page, hasMore: true }; next.hasMore; names.push(...namesOf(next)))
      next = await pull(there, { after: next.cursor, first: 1_000 });
    expect(names).toContain('after it');
  });

  it('is the response to a cursor of removed entries, and to one that has lost its end', async () => {
    const after = await cursorAfterNow();
    await create('missed');
    await database.query(`DELETE FROM change_log WHERE id < (SELECT max(id) FROM change_log)`);

    expect(await pull(here, { after })).toEqual(reload);
    expect(await pull(here, { after: after.slice(0, -4) })).toEqual(reload);
  });

  it('is not needed by a client of last night when what changed before is older than what is retained', async () => {
    const after = await cursorAfterNow();
    await database.query(`UPDATE change_log SET at = now() - interval '10 days'`);
    // The mark of the log in the cursor is that of the entry as it is now.
    const last = await cursorAfterNow();
    await create('a change of today');
    await removeOldEntries(
      { $executeRawUnsafe: async (sql) => (await clients[0]?.query(sql))?.rowCount ?? 0 },
      'change_log',
      1_000,
    );

    expect(namesOf(await pull(here, { after: last }))).toEqual(['a change of today']);
    expect(await pull(here, { after })).toEqual(reload);
  });

  it('stands for an import that is too large to list, once, after the changes before it', async () => {
    const after = await cursorAfterNow();
    await create('before');
    const rows = Array.from({ length: 600 }, (_, index) => `Program ${index},4 Years,Branch,3`);
    const file = ['program_name,program_duration,branch_name,branch_years', ...rows].join('\n');
    expect((await runCommand(database.url, ['import', '-'], { input: file })).exitCode).toBe(0);
    await create('later');

    const seen: (string | undefined)[] = [];
    let reloads = 0;
    let cursor = after;
    await within(10_000, async () => {
      const page = await pull(here, { after: cursor });
      cursor = page.cursor;
      seen.push(...namesOf(page));
      if (page.reload) reloads += 1;
      expect(reloads).toBe(1);
    });
    await create('last');
    seen.push(...namesOf(await pull(there, { after: cursor })));
    // Whether the page before the import was read by itself depends on when the caches of all instances knew of it.
    expect(seen.filter((name) => name !== 'before' && name !== 'later')).toEqual(['last']);
    expect(reloads).toBe(1);
  });
});

describe('a client that begins', () => {
  it('misses nothing of what an instance does not know yet whose cached list it reads after its cursor', async () => {
    const list = '{ programsConnection(last: 1) { nodes { name } } }';
    const read = async () => (await there.graphql(list)).body.data.programsConnection.nodes[0].name;
    for (let run = 0; run < 8; run += 1) {
      const name = `begins ${run}`;
      await read();
      // Without a notification, the other instance learns of it within a quarter of a second.
      await create(name);
      const { cursor } = await pull(here);
      const listed = await read();
      const known = [listed, ...namesOf(await pull(here, { after: cursor }))];
      expect(known).toContain(name);
      await setTimeout(run * 40);
    }
  });
});

const steps = fc.array(fc.record({ session: fc.nat(3), ends: fc.boolean() }), { minLength: 4, maxLength: 20 });
const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });

it('a client that pulls pages of any size, at any instance, while transactions end in any order, gets each change once, and may go on as a subscriber and back', async () => {
  let run = 0;
  const property = fc.asyncProperty(steps, sizes, async (plan, pageSizes) => {
    run += 1;
    const received: (string | undefined)[] = [];
    let cursor = await cursorAfterNow();
    let pulls = 0;
    const pullOnce = async (): Promise<Pulled> => {
      pulls += 1;
      const page = await pull(pulls % 2 === 0 ? here : there, {
        after: cursor,
        first: pageSizes[pulls % pageSizes.length] ?? 1,
      });
      expect(page.reload).toBe(false);
      received.push(...namesOf(page));
      cursor = page.cursor;
      return page;
    };
    const names = await createInSessions(clients, plan, run, async (index) => {
      if (index % 3 === 0) await pullOnce();
    });
    // One change by the subscription, which is resumed from the cursor of a page.
    names.push(`${run} last`);
    await create(`${run} last`);
    const stream = await subscribe(
      there,
      'subscription ($after: String) { catalogChanged(after: $after) { program { name } } }',
      {
        variables: { after: cursor },
        key: adminKey,
      },
    );
    const event = await stream.next();
    stream.close();
    received.push(JSON.parse(event?.data ?? '').data.catalogChanged.program.name);
    cursor = event?.id ?? '';
    while ((await pullOnce()).hasMore);

    expect(received.sort()).toEqual(names.sort());
  });
  await fc.assert(property, { numRuns: inject('thorough') ? 6 : 2, endOnFailure: true });
});
