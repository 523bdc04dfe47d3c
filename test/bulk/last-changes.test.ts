import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { summariesOf } from '../../src/academics/history/change-summaries.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { csv, importFile } from '../import-export/import/import-file.ts';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const lastChanges = async (first: number, key = adminKey, imports = false) => {
  const query = `{ lastChanges(first: ${first}, imports: ${imports}) {
    changeId actor action programs branches kind recordId name fields file isUndone
  } }`;
  const { body } = await server.graphql(query, {}, key);
  return body.data?.lastChanges ?? body;
};

describe('the last changes', () => {
  it('are the newest first, each with the numbers of its records and the name of the first', async () => {
    const physics = await server.make.program({ name: 'Physics' });
    const optics = await server.make.branch(physics.id, { name: 'Optics' });
    await server.make.branch(physics.id, { name: 'Acoustics' });
    await server.graphql('mutation { createUser(input: { name: "not of the catalog", role: VIEWER }) { id } }');
    await server.graphql(`mutation { updateBranch(id: ${optics.id}, input: { name: "Light" }) { id } }`);
    await server.graphql(`mutation { deleteProgram(id: ${physics.id}) { id } }`);

    const one = { actor: 'admin', fields: null, file: null, isUndone: false, changeId: expect.any(String) };
    const program = { kind: 'PROGRAM', recordId: physics.id, name: 'Physics' };
    const branch = { kind: 'BRANCH', recordId: optics.id };
    expect(await lastChanges(5)).toEqual([
      { ...one, ...program, action: 'DELETE', programs: 1, branches: 2 },
      { ...one, ...branch, name: 'Light', fields: ['name'], action: 'UPDATE', programs: 0, branches: 1 },
      {
        ...one,
        kind: 'BRANCH',
        recordId: expect.any(Number),
        name: 'Acoustics',
        action: 'CREATE',
        programs: 0,
        branches: 1,
      },
      { ...one, ...branch, name: 'Optics', action: 'CREATE', programs: 0, branches: 1 },
      { ...one, ...program, action: 'CREATE', programs: 1, branches: 0 },
    ]);
  });

  it('name the fields of many records that were updated, attributes by their keys', async () => {
    const first = await server.make.program({ name: 'Physics' });
    const second = await server.make.program({ name: 'Law', duration: '3 Years' });
    const input = { duration: '3 Years', attributes: [{ key: 'level', value: 'B' }] };
    await server.graphql(
      'mutation ($ids: [Int!]!, $input: UpdateProgramsInput!) { updatePrograms(ids: $ids, input: $input) { changed } }',
      { ids: [first.id, second.id], input },
    );
    const [change] = await lastChanges(1);
    expect(change).toMatchObject({ action: 'UPDATE', programs: 2, fields: ['attributes.level', 'duration'] });
  });

  it('say of pasted cells, and of a find and replace, what they are: no import of a file', async () => {
    const { id } = await server.make.program({ name: 'Physics' });
    for (const origin of ['paste', 'replace']) {
      const row = { program_id: id, program_name: `Physics by ${origin}`, program_duration: '4 Years' };
      const query = { update: 'true', ownIds: 'true', origin };
      expect(await importFile(server, JSON.stringify([row]), { type: 'application/json', query })).toMatchObject({
        status: 200,
      });
    }
    const { body } = await server.graphql(
      '{ lastChanges(first: 2) { action origin fields file created changed programs } }',
    );
    const change = { action: 'UPDATE', fields: ['name'], file: null, created: null, changed: null, programs: 1 };
    expect(body.data.lastChanges).toEqual([
      { ...change, origin: 'REPLACE' },
      { ...change, origin: 'PASTE' },
    ]);
    const log = await server.graphql(
      '{ changeLog(filter: { actions: [UPDATE] }, first: 2) { nodes { changes { origin } } } }',
    );
    expect(log.body.data.changeLog.nodes).toEqual([
      { changes: [{ origin: 'REPLACE' }] },
      { changes: [{ origin: 'PASTE' }] },
    ]);
    const imports = await lastChanges(50, adminKey, true);
    expect(imports.map(({ changeId }: { changeId: string }) => changeId)).not.toContain(
      (await lastChanges(1))[0].changeId,
    );
  });

  it('say how many records an import created and changed, and how many rows it left out', async () => {
    const rows = csv(',Botany,4 Years,,,,,', ',,4 Years,,,,,', ',Zoology,,,,,,');
    const imported = await importFile(server, rows, { query: { skipInvalid: 'true' } });
    expect(imported).toMatchObject({ status: 200 });
    const { body } = await server.graphql('{ lastChanges(first: 1) { created changed skipped } }');
    expect(body.data.lastChanges).toEqual([{ created: 1, changed: 0, skipped: 2 }]);
    await server.make.program();
    const later = await server.graphql('{ lastChanges(first: 1) { skipped } }');
    expect(later.body.data.lastChanges).toEqual([{ skipped: null }]);
  });

  it('say from where to where branches were moved', async () => {
    const [from, other, to] = [await server.make.program(), await server.make.program(), await server.make.program()];
    const branches = [
      await server.make.branch(from.id),
      await server.make.branch(from.id),
      await server.make.branch(other.id),
    ].map(({ id }) => id);
    const move = async (ids: number[], input: object) => {
      const document =
        'mutation ($ids: [Int!]!, $input: UpdateBranchesInput!) { updateBranches(ids: $ids, input: $input) { changed } }';
      expect((await server.graphql(document, { ids, input })).body.errors).toBeUndefined();
      const { body } = await server.graphql('{ lastChanges(first: 1) { branches movedFrom { id } movedTo { id } } }');
      return body.data.lastChanges[0];
    };
    expect(await move(branches.slice(0, 2), { programId: to.id })).toEqual({
      branches: 2,
      movedFrom: { id: from.id },
      movedTo: { id: to.id },
    });
    // One of the three is there already.
    expect(await move(branches, { programId: other.id })).toMatchObject({ movedFrom: { id: to.id } });
    expect(await move([branches[0] ?? 0], { programId: from.id })).toMatchObject({ movedTo: { id: from.id } });
    // From two programs.
    expect(await move(branches, { programId: to.id })).toMatchObject({ movedFrom: null, movedTo: { id: to.id } });
    expect(await move(branches, { description: 'Stays' })).toMatchObject({ movedFrom: null, movedTo: null });
  });

  it('have an import as one, which is marked once it is undone', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `,Program ${n},4 Years,Branch ${n},,3,,`);
    expect(await importFile(server, csv(...lines), { query: { fileName: 'many.csv' } })).toMatchObject({ status: 200 });

    const [imported] = await lastChanges(1);
    expect(imported).toMatchObject({ action: 'IMPORT', actor: 'admin', programs: 30, branches: 30, file: 'many.csv' });
    expect(imported.isUndone).toBe(false);
    await server.graphql('mutation ($id: ID!) { undoChange(changeId: $id) { undone } }', { id: imported.changeId });
    expect(await lastChanges(2)).toEqual([
      expect.objectContaining({ action: 'UNDO', programs: 30, branches: 30, isUndone: false }),
      { ...imported, isUndone: true },
    ]);
    expect(await lastChanges(1, adminKey, true)).toEqual([{ ...imported, isUndone: true }]);
  });

  it('are not undone once their undo is undone, until that is', async () => {
    await importFile(server, csv('C1,Chemistry,4 Years,Organic,,3,,'));
    const [imported] = await lastChanges(1);
    const isMarked = async () => (await lastChanges(1, adminKey, true))[0].isUndone;
    const undoLast = async () => {
      const [{ changeId }] = await lastChanges(1);
      await server.graphql('mutation ($id: ID!) { undoChange(changeId: $id) { undone } }', { id: changeId });
      const { body } = await server.graphql(
        'query ($id: ID!) { changeEntries(changeId: $id) { nodes { undoneBy } } }',
        { id: imported.changeId },
      );
      const marks = body.data.changeEntries.nodes.map(({ undoneBy }: { undoneBy: string | null }) => undoneBy !== null);
      return [await isMarked(), ...new Set(marks)];
    };
    expect(await undoLast()).toEqual([true, true]);
    expect(await undoLast()).toEqual([false, false]);
    expect(await undoLast()).toEqual([true, true]);
  });

  it('are not counted where an import or an undo has counted them, however many records it has', async () => {
    const changeId = randomUUID();
    const undoing = randomUUID();
    const summary = { file: 'large.csv', programs: { created: 7, changed: 2 }, branches: { created: 0, changed: 1 } };
    const [row] = await server.database.query('SELECT clock_timestamp() AS at');
    const insert = `INSERT INTO audit_entries (at, actor, change_id, action, subject, subject_id, after)`;
    await server.database.query(
      `${insert} SELECT $1::timestamptz, 'admin', $2::uuid, 'create', 'Program', n, '{"name": "Large"}' FROM generate_series(1, 5) AS n`,
      [row?.['at'], changeId],
    );
    await server.database.query(
      `${insert} VALUES ($1::timestamptz, 'admin', $2::uuid, 'import', 'Catalog', NULL, $3)`,
      [row?.['at'], changeId, summary],
    );
    await server.database.query(`${insert} VALUES ($1::timestamptz, 'admin', $2::uuid, 'undo', 'Catalog', NULL, $3)`, [
      row?.['at'],
      undoing,
      { changeId, undone: 9, programs: 8, branches: 1, left: 1 },
    ]);

    const [undo, imported] = await lastChanges(2);
    expect(undo).toMatchObject({ action: 'UNDO', changeId: undoing, programs: 8, branches: 1, kind: null, name: null });
    const first = { kind: 'PROGRAM', recordId: 1, name: 'Large', file: 'large.csv', isUndone: true };
    expect(imported).toMatchObject({ action: 'IMPORT', changeId, programs: 9, branches: 1, ...first });
  });

  it('are each of a document whose mutations are one transaction, the last first', async () => {
    const create = (name: string) => `${name}: createProgram(input: { name: "${name}", duration: "4 Years" }) { id }`;
    await server
      .graphql(`mutation { ${['one', 'two', 'three', 'four'].map(create).join(' ')} }`)
      .set('idempotency-key', 'four-at-once');

    const names = (await lastChanges(3)).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['four', 'three', 'two']);
  });

  it('do not say who made them to those who may not edit records', async () => {
    await server.make.program();
    const key = await server.makeKey({ role: 'viewer', user: 'reader of changes' });
    const guest = await server.makeKey({ role: 'guest', user: 'guest of changes' });

    expect(await lastChanges(1, key)).toEqual([expect.objectContaining({ action: 'CREATE', actor: null })]);
    expect((await lastChanges(1, guest)).errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect((await lastChanges(51)).errors[0]).toMatchObject({ extensions: { code: 'VALIDATION_FAILED' } });
  });

  it('are found by an index each, although one import has nearly all entries', async () => {
    await server.database.query(
      `INSERT INTO audit_entries (actor, action, subject, subject_id, change_id)
      SELECT 'ada', 'create', 'Program', n, 'c0000000-0000-4000-8000-000000000000' FROM generate_series(1, 20000) AS n`,
    );
    await server.database.query('ANALYZE audit_entries');
    const ctes = Prisma.sql`change AS (SELECT now() AS at, gen_random_uuid() AS change_id FROM generate_series(1, 50))`;
    const { text, values } = Prisma.sql`EXPLAIN (FORMAT JSON) ${summariesOf({ ctes, limit: 50 })}`;
    const plan = JSON.stringify(await server.database.query(text, values));
    expect(plan).toContain('audit_entries_change_id_id_idx');
    expect(plan).not.toContain('audit_entries_pkey');
    // By the change alone, the index of ids would be another choice, whose price depends on the statistics.
    expect(plan).not.toMatch(/change_id_id_idx"[^{}]*"Index Cond":"[^"]*change_id =/);
  });
});
