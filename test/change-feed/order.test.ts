import type { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { clientForTest, useDatabase } from '../support/database.ts';
import { subscribe } from '../support/event-stream.ts';
import { useServer } from '../support/server.ts';

const database = useDatabase();
const server = useServer({}, database);
let one: number;
let other: number;
beforeAll(async () => {
  one = (await server.make.program({ name: 'One' })).id;
  other = (await server.make.program({ name: 'Other' })).id;
});

const query = 'subscription { catalogChanged { action programId branchId program { name } } }';
const listens = `datname = current_database() AND application_name = 'academic-structure-service (change log)'`;
const changeEvent = (change: object) => ({ data: { catalogChanged: expect.objectContaining(change) } });

/** A database connection for an open transaction. */
const connect = (): Promise<Client> => clientForTest(database.url);

const rename = (id: number, name: string) => database.query('UPDATE programs SET name = $1 WHERE id = $2', [name, id]);

describe('changes are sent', () => {
  it('in commit order, without waiting for a transaction that began earlier', async () => {
    const stream = await subscribe(server, query);
    const slow = await connect();
    await slow.query('BEGIN');
    await slow.query(`UPDATE programs SET name = 'began first' WHERE id = $1`, [one]);
    await rename(other, 'committed first');
    expect(await stream.result()).toEqual(changeEvent({ programId: other, program: { name: 'committed first' } }));

    await slow.query('COMMIT');

    expect(await stream.result()).toEqual(changeEvent({ programId: one, program: { name: 'began first' } }));
  });

  it('as one RELOAD for an import of 300 rows', async () => {
    const stream = await subscribe(server, query);
    const rows = Array.from({ length: 300 }, (_, index) => `P${index},Program ${index},4 Years,Branch,,3,L,true`);
    const columns =
      'program_code,program_name,program_duration,branch_name,branch_description,branch_years,branch_code_prefix,branch_code_is_numeric';
    const run = await runCommand(database.url, ['import', '-'], { input: [columns, ...rows].join('\n') });
    expect(run.exitCode).toBe(0);
    await rename(one, 'after the import');

    const nothing = { programId: null, branchId: null, program: null };
    expect(await stream.result()).toEqual(changeEvent({ action: 'RELOAD', ...nothing }));
    expect(await stream.result()).toEqual(changeEvent({ program: { name: 'after the import' } }));
  });

  it('as one RELOAD of a deleted program with 150 branches, to its subscribers only', async () => {
    const { id } = await server.make.program({ name: 'Large' });
    await database.query(`INSERT INTO branches (program_id, name) SELECT $1, 'b' FROM generate_series(1, 150)`, [id]);
    const filtered = (programId: number) =>
      subscribe(server, query.replace('catalogChanged', `catalogChanged(programId: ${programId})`));
    const [large, small] = [await filtered(id), await filtered(one)];
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    await rename(one, 'small');

    expect(await large.result()).toEqual(changeEvent({ action: 'RELOAD', programId: id, program: { name: 'Large' } }));
    expect(await small.result()).toEqual(changeEvent({ action: 'UPDATE', programId: one }));
  });

  it('despite repeated termination of the LISTEN connection', async () => {
    const stream = await subscribe(server, query);
    for (const name of ['first', 'second', 'third']) {
      await database.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${listens}`);
      await rename(one, name);
      expect(await stream.result()).toEqual(changeEvent({ program: { name } }));
    }
  });
});

describe('a branch that is deleted with its program', () => {
  it('is sent with its last state, followed by the program', async () => {
    const { id } = await server.make.program({ name: 'Alchemy' });
    const branch = await server.make.branch(id, { name: 'Stones', years: 1 });
    const stream = await subscribe(
      server,
      'subscription { catalogChanged { action branch { id name years { code } program { name branches { id } } } } }',
    );
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);

    const lost = { id: branch.id, name: 'Stones', years: [{ code: '1' }], program: { name: 'Alchemy', branches: [] } };
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'DELETE', branch: lost } } });
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'DELETE', branch: null } } });
  });

  it('is sent as restored after its program when both are', async () => {
    const { id } = await server.make.program({ name: 'Astrology' });
    await server.make.branch(id, { name: 'Stars' });
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    const stream = await subscribe(
      server,
      'subscription { catalogChanged { action branch { name } program { name } } }',
    );
    await server.graphql(`mutation { restoreProgram(id: ${id}) { id } }`);

    const program = { name: 'Astrology' };
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'RESTORE', branch: null, program } } });
    expect(await stream.result()).toEqual({
      data: { catalogChanged: { action: 'RESTORE', branch: { name: 'Stars' }, program } },
    });
  });
});

describe('a record deleted by SQL', () => {
  const deep =
    'subscription { catalogChanged { action branch { name years { code } program { name } } program { name } } }';

  it('is sent with its last state', async () => {
    const { id } = await server.make.program({ name: 'Phrenology' });
    const branch = await server.make.branch(id, { name: 'Skulls' });
    const stream = await subscribe(server, deep);
    await database.query('DELETE FROM branch_years WHERE branch_id = $1', [branch.id]);
    await database.query('DELETE FROM branches WHERE id = $1', [branch.id]);
    await database.query('DELETE FROM programs WHERE id = $1', [id]);

    const program = { name: 'Phrenology' };
    await stream.result();
    expect(await stream.result()).toEqual({
      data: { catalogChanged: { action: 'DELETE', branch: { name: 'Skulls', years: [], program }, program } },
    });
    expect(await stream.result()).toEqual({ data: { catalogChanged: { action: 'DELETE', branch: null, program } } });
  });

  it('is sent when its program is deleted in the same transaction', async () => {
    const { id } = await server.make.program({ name: 'Mesmerism' });
    await database.query(`INSERT INTO branches (program_id, name) VALUES ($1, 'Magnets')`, [id]);
    const stream = await subscribe(server, deep);
    await database.query(
      `BEGIN; DELETE FROM branches WHERE program_id = ${id}; DELETE FROM programs WHERE id = ${id}; COMMIT`,
    );

    const program = { name: 'Mesmerism' };
    expect(await stream.result()).toEqual({
      data: { catalogChanged: { action: 'DELETE', branch: { name: 'Magnets', years: [], program }, program } },
    });
  });
});

describe('a hundred subscribers', () => {
  it('need one LISTEN connection and as many statements per event as one', async () => {
    const deep = 'subscription { catalogChanged { program { name branches { name years { code } } } } }';
    const { id } = await server.make.program({ name: 'Followed' });
    await server.make.branch(id, { name: 'Followed too' });
    const statementsFor = async (count: number) => {
      const streams = await Promise.all(Array.from({ length: count }, () => subscribe(server, deep)));
      server.statements.length = 0;
      await rename(id, `sent to ${count}`);
      const results = await Promise.all(streams.map((stream) => stream.result()));
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      for (const stream of streams) stream.close();
      // Not those that read the change log: they depend on how often the log is polled.
      return server.statements.filter((sql) => /branch_years|program_id\S* (=|IN)/.test(sql));
    };

    const ofOne = await statementsFor(1);
    expect(ofOne).toEqual([expect.stringContaining('branches'), expect.stringContaining('branch_years')]);
    expect(await statementsFor(100)).toEqual(ofOne);
    expect(await database.query(`SELECT count(*)::int FROM pg_stat_activity WHERE ${listens}`)).toEqual([{ count: 1 }]);
  });
});
