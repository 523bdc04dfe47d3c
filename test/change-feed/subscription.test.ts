import { beforeAll, describe, expect, it } from 'vitest';
import { clientForTest } from '../support/database.ts';
import { type EventStream, subscribe } from '../support/event-stream.ts';
import { useInstances } from '../support/server.ts';

const [here, there] = useInstances(2);
const { database } = here;
let one: number;
let other: number;
beforeAll(async () => {
  one = (await here.make.program({ name: 'One' })).id;
  other = (await here.make.program({ name: 'Other' })).id;
});

const query = `subscription ($programId: Int, $after: String) {
  catalogChanged(programId: $programId, after: $after) {
    cursor action kind programId branchId program { name } branch { name }
  }
}`;
const listens = `datname = current_database() AND application_name = 'academic-structure-service (change log)'`;
const changeEvent = (change: object) => ({ data: { catalogChanged: expect.objectContaining(change) } });
const rename = (id: number, name: string) => database.query('UPDATE programs SET name = $1 WHERE id = $2', [name, id]);

async function idOfNext(stream: EventStream): Promise<string> {
  const event = await stream.next();
  if (event?.id === undefined) throw new Error(`No id in ${JSON.stringify(event)}.`);
  return event.id;
}

describe('catalogChanged', () => {
  it('sends created, updated and deleted records, from another instance and from psql', async () => {
    const stream = await subscribe(here, query);
    const program = await there.make.program({ name: 'Physics' });
    const branch = await there.make.branch(program.id, { name: 'Optics' });
    await database.query('UPDATE programs SET name = $1 WHERE id = $2', ['Astrophysics', program.id]);
    await here.graphql(`mutation { deleteBranch(id: ${branch.id}) { id } }`);

    const ids = { programId: program.id, branchId: null };
    const ofBranch = { programId: program.id, branchId: branch.id, kind: 'BRANCH' };
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(await stream.result()).toMatchObject(changeEvent({ action: 'CREATE', kind: 'PROGRAM', ...ids }));
    expect(await stream.result()).toMatchObject(
      changeEvent({ action: 'CREATE', ...ofBranch, branch: { name: 'Optics' } }),
    );
    expect(await stream.result()).toMatchObject(
      changeEvent({ action: 'UPDATE', kind: 'PROGRAM', ...ids, program: { name: 'Astrophysics' } }),
    );
    expect(await stream.result()).toMatchObject(changeEvent({ action: 'DELETE', ...ofBranch }));
  });

  it('sends only changes of the requested program, and resumes after the last received change', async () => {
    const one = await here.make.program();
    const other = await here.make.program();
    const stream = await subscribe(here, query, { variables: { programId: one.id } });
    await here.make.branch(other.id);
    const first = await here.make.branch(one.id);
    const received = await stream.result();
    expect(received).toMatchObject(changeEvent({ programId: one.id, branchId: first.id }));
    stream.close();

    const second = await here.make.branch(one.id);
    const after = JSON.parse(JSON.stringify(received)).data.catalogChanged.cursor;
    const resumed = await subscribe(there, query, { variables: { programId: one.id, after } });

    expect(await resumed.result()).toMatchObject(changeEvent({ programId: one.id, branchId: second.id }));
  });
});

describe('a subscription', () => {
  it.each([
    ['without permission to read programs', 'guest', {}, 'FORBIDDEN', 'You need the permission programs:read.'],
    [
      'with an invalid `after`',
      'viewer',
      { after: 'nowhere' },
      'VALIDATION_FAILED',
      'after must be the cursor of a change.',
    ],
  ] as const)('%s responds with the error as its only result', async (_what, role, variables, code, words) => {
    const stream = await subscribe(here, query, { variables, key: await here.makeKey({ role }) });
    const [only, ...rest] = await stream.rest();

    expect(stream.status).toBe(200);
    expect(JSON.parse(only?.data ?? '')).toEqual({
      data: null,
      errors: [expect.objectContaining({ path: ['catalogChanged'], extensions: expect.objectContaining({ code }) })],
    });
    expect(only?.data).toContain(words);
    expect(rest).toEqual([{ event: 'complete', id: undefined, data: '' }]);
  });
});

describe('changes are sent', () => {
  it('in commit order, without waiting for a transaction that began earlier', async () => {
    const stream = await subscribe(here, query);
    const slow = await clientForTest(database.url);
    await slow.query('BEGIN');
    await slow.query(`UPDATE programs SET name = 'began first' WHERE id = $1`, [one]);
    await rename(other, 'committed first');
    expect(await stream.result()).toEqual(changeEvent({ programId: other, program: { name: 'committed first' } }));

    await slow.query('COMMIT');

    expect(await stream.result()).toEqual(changeEvent({ programId: one, program: { name: 'began first' } }));
  });

  it('as one RELOAD of a deleted program with 1,500 branches, to its subscribers only', async () => {
    const { id } = await here.make.program({ name: 'Large' });
    await database.query(`INSERT INTO branches (program_id, name) SELECT $1, 'b' FROM generate_series(1, 1500)`, [id]);
    const filtered = (programId: number) => subscribe(here, query, { variables: { programId } });
    const [large, small] = [await filtered(id), await filtered(one)];
    await here.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await rename(one, 'small');

    expect(await large.result()).toEqual(changeEvent({ action: 'RELOAD', programId: id, program: { name: 'Large' } }));
    expect(await small.result()).toEqual(changeEvent({ action: 'UPDATE', programId: one }));
  });

  it('despite repeated termination of the LISTEN connection', async () => {
    const stream = await subscribe(here, query);
    for (const name of ['first', 'second', 'third']) {
      await database.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${listens}`);
      await rename(one, name);
      expect(await stream.result()).toEqual(changeEvent({ program: { name } }));
    }
  });
});

describe('a branch that is deleted with its program', () => {
  it('is sent with its last state, followed by the program', async () => {
    const { id } = await here.make.program({ name: 'Alchemy' });
    const branch = await here.make.branch(id, { name: 'Stones', years: 1 });
    const stream = await subscribe(
      here,
      'subscription { catalogChanged { action branch { id name years { code } program { name branches { id } } } } }',
    );
    await here.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);

    const lost = { id: branch.id, name: 'Stones', years: [{ code: '1' }], program: { name: 'Alchemy', branches: [] } };
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'DELETE', branch: lost } } });
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'DELETE', branch: null } } });
  });
});

it('a branch that SQL deletes with its program, in one transaction, is sent with its last state', async () => {
  const { id } = await here.make.program({ name: 'Mesmerism' });
  await database.query(`INSERT INTO branches (program_id, name) VALUES ($1, 'Magnets')`, [id]);
  const stream = await subscribe(
    here,
    'subscription { catalogChanged { action branch { name years { code } program { name } } program { name } } }',
  );
  await database.query(
    `BEGIN; DELETE FROM branches WHERE program_id = ${id}; DELETE FROM programs WHERE id = ${id}; COMMIT`,
  );

  const program = { name: 'Mesmerism' };
  expect(await stream.result()).toEqual({
    data: { catalogChanged: { action: 'DELETE', branch: { name: 'Magnets', years: [], program }, program } },
  });
});

it('a hundred subscribers need one LISTEN connection of an instance and as many statements per event as one', async () => {
  const deep = 'subscription { catalogChanged { program { name branches { name years { code } } } } }';
  const { id } = await here.make.program({ name: 'Followed' });
  await here.make.branch(id, { name: 'Followed too' });
  const statementsFor = async (count: number) => {
    const streams = await Promise.all(Array.from({ length: count }, () => subscribe(here, deep)));
    here.statements.length = 0;
    await rename(id, `sent to ${count}`);
    const results = await Promise.all(streams.map((stream) => stream.result()));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    for (const stream of streams) stream.close();
    // Not those that read the change log: they depend on how often the log is polled.
    return here.statements.filter((sql) => /branch_years|program_id\S* (=|IN)/.test(sql));
  };

  const ofOne = await statementsFor(1);
  expect(ofOne).toEqual([expect.stringContaining('branches'), expect.stringContaining('branch_years')]);
  expect(await statementsFor(100)).toEqual(ofOne);
  expect(await database.query(`SELECT count(*)::int FROM pg_stat_activity WHERE ${listens}`)).toEqual([{ count: 2 }]);
});

describe('a client that resumes', () => {
  const resumed = 'subscription ($after: String) { catalogChanged(after: $after) { cursor action program { name } } }';
  const created = (name: string) => changeEvent({ action: 'CREATE', program: { name } });
  const reload = changeEvent({ action: 'RELOAD', program: null });
  const create = (name: string) =>
    database.query(`INSERT INTO programs (name, duration) VALUES ($1, '4 Years')`, [name]);

  /** The id of a change, which was received last. */
  async function lastId(): Promise<string> {
    const stream = await subscribe(here, resumed);
    await create('seen');
    const id = await idOfNext(stream);
    stream.close();
    return id;
  }

  /** Resumes at another instance and reads up to one further change. */
  async function resume(options: Parameters<typeof subscribe>[2]): Promise<unknown[]> {
    const stream = await subscribe(there, resumed, options);
    await create('now');
    const results: unknown[] = [];
    while (JSON.stringify(results.at(-1))?.includes('"now"') !== true) results.push(await stream.result());
    return results;
  }

  it('with Last-Event-ID receives the missed changes, then new ones', async () => {
    const id = await lastId();
    await create('gone');
    await database.query(`DELETE FROM programs WHERE name = 'gone'`);
    const deleted = changeEvent({ action: 'DELETE', program: { name: 'gone' } });
    expect(await resume({ headers: { 'last-event-id': id } })).toEqual([created('gone'), deleted, created('now')]);
  });

  it('with both resumes from Last-Event-ID, which is later, whatever the other is', async () => {
    const id = await lastId();
    const later = await lastId();
    for (const after of [id, 'not an id']) {
      expect(await resume({ variables: { after }, headers: { 'last-event-id': later } })).toEqual([created('now')]);
    }
  });

  it('with neither, or with a blank Last-Event-ID, receives new changes only', async () => {
    await lastId();
    for (const headers of [{}, { 'last-event-id': '' }]) expect(await resume({ headers })).toEqual([created('now')]);
  });

  it.each([
    ['an invalid id', () => 'not an id'],
    ['an id with an extra character', (id: string) => `${id}x`],
    ['an id of another log', (id: string) => `another-log-${id.slice(12)}`],
  ])('with %s as Last-Event-ID receives RELOAD, which concerns each program', async (_what, wrong) => {
    const id = wrong(await lastId());
    expect(await resume({ headers: { 'last-event-id': id } })).toEqual([reload, created('now')]);
    const ofOne = await subscribe(here, query, { variables: { programId: one }, headers: { 'last-event-id': id } });
    expect(await ofOne.result()).toEqual(changeEvent({ action: 'RELOAD' }));
  });

  it('over a change log entry of a newer version of the service receives RELOAD', async () => {
    const id = await lastId();
    await database.query(
      `INSERT INTO change_log (records) VALUES ('[{"kind": "FACULTY", "action": "CREATE", "id": 1}]')`,
    );
    expect(await resume({ headers: { 'last-event-id': id } })).toEqual([reload, created('now')]);
  });
});
