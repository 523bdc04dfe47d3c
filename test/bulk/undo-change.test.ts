import { describe, expect, it } from 'vitest';
import { pruneAuditLog } from '../../src/accounts/audit/audit-retention.ts';
import { actor } from '../accounts/administration.ts';
import { importFile } from '../import-export/import/import-file.ts';
import { clientForTest } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';
import { programSnapshot } from '../support/snapshots.ts';
import { bulkOf, catalogOf } from './mutations.ts';

const server = useSharedServer();
const { many, update, undo, latestChange } = bulkOf(server);

const aChange = expect.stringMatching(/^[0-9a-f-]{36}$/);
const graphql = async (document: string) => {
  const { body } = await server.graphql(document);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data;
};
const importRows = async (rows: readonly string[], query = {}) => {
  const header = 'program_code,program_name,program_duration,branch_name,branch_years';
  return (await importFile(server, [header, ...rows].join('\n'), { query })).body;
};
describe('undoChange', () => {
  it('undoes every mutation of one record, and is undone itself', async () => {
    const [one, two] = [await server.make.program(), await server.make.program()];
    const [branch, gone] = [
      await server.make.branch(one.id, { years: 4, codePrefix: 'P' }),
      await server.make.branch(one.id),
    ];
    await many('deleteBranches', [gone.id]);
    const mutations = [
      'createProgram(input: { name: "A", duration: "1 Year" })',
      `createBranch(input: { programId: ${one.id}, name: "B", years: 2 })`,
      `updateProgram(id: ${one.id}, input: { name: "Other", code: "X" })`,
      `updateBranch(id: ${branch.id}, input: { programId: ${two.id}, years: 2, codeIsNumeric: false, description: "D" })`,
      `deleteBranch(id: ${branch.id})`,
      `restoreBranch(id: ${gone.id})`,
      `deleteProgram(id: ${one.id})`,
    ];
    for (const mutation of mutations) {
      const before = await catalogOf(server);
      await graphql(`mutation { ${mutation} { id } }`);
      const after = await catalogOf(server);

      const undone = await undo(await latestChange());
      const withoutCreated = await catalogOf(server);
      const again = await undo(undone.changeId);

      expect({ mutation, ...undone }).toMatchObject({ mutation, changeId: aChange, left: [], leftCount: 0 });
      if (!mutation.startsWith('create')) expect(withoutCreated).toEqual(before);
      expect(again).toEqual({ ...undone, changeId: aChange });
      expect(await catalogOf(server)).toEqual(after);
      await undo(again.changeId);
    }
  });

  it('restores programs before their branches: so subscribers hear of them', async () => {
    const { id } = await server.make.program();
    const branch = await server.make.branch(id);
    await undo((await many('deletePrograms', [id])).changeId);
    const [entry] = await server.database.query('SELECT records FROM change_log ORDER BY id DESC LIMIT 1');
    expect(entry?.['records']).toMatchObject([
      { kind: 'PROGRAM', action: 'RESTORE', id },
      { kind: 'BRANCH', action: 'RESTORE', id: branch.id },
    ]);
  });

  it('counts as an update of each record, and says in the audit log what was undone', async () => {
    const { id } = await server.make.program();
    const { changeId } = await update('updatePrograms', [id], { name: 'Other' });
    const undone = await undo(changeId);

    const { auditLog, program } = await graphql(
      `{
        auditLog(filter: { changeId: "${undone.changeId}" }) { nodes { action subject subjectId before after } }
        program(id: ${id}) { version }
      }`,
    );
    expect(auditLog.nodes).toEqual([
      {
        action: 'UNDO',
        subject: 'CATALOG',
        subjectId: null,
        before: null,
        after: { changeId, undone: 1, programs: 1, branches: 0, left: 0 },
      },
      {
        action: 'UPDATE',
        subject: 'PROGRAM',
        subjectId: id,
        before: programSnapshot({ name: 'Other', duration: '4 Years' }),
        after: programSnapshot({ name: 'Physics', duration: '4 Years' }),
      },
    ]);
    expect(program.version).toBe(3);
  });

  it('leaves a branch deleted whose program has been deleted since', async () => {
    const program = await server.make.program();
    const branch = await server.make.branch(program.id);
    const { changeId } = await many('deleteBranches', [branch.id]);
    await many('deletePrograms', [program.id]);

    expect(await undo(changeId)).toMatchObject({
      changeId: null,
      left: [{ id: branch.id, code: 'CONFLICT', message: `Program ${program.id} is deleted: restore it first.` }],
    });
  });

  it('does not move a branch back to a program that has been deleted since', async () => {
    const [from, to] = [await server.make.program(), await server.make.program()];
    const branch = await server.make.branch(from.id);
    const { changeId } = await update('updateBranches', [branch.id], { programId: to.id });
    await many('deletePrograms', [from.id]);
    expect(await undo(changeId)).toMatchObject({ undone: 0, left: [{ kind: 'BRANCH', id: branch.id }] });
  });

  it('undoes an import: what it created is deleted, what it updated is as before', async () => {
    await importRows(['OLD,Old,4 Years,Optics,3']);
    const before = await catalogOf(server);
    const { changeId, programs, branches } = await importRows(
      ['OLD,New name,5 Years,Optics,5', 'NEW,New,4 Years,One,3', 'NEW,New,4 Years,Two,3'],
      { update: 'true' },
    );
    expect({ changeId, programs, branches }).toMatchObject({
      changeId: aChange,
      programs: { created: 1, changed: 1 },
      branches: { created: 2, changed: 1 },
    });

    expect(await undo(changeId)).toEqual({ changeId: aChange, undone: 5, left: [], leftCount: 0 });

    const after = await catalogOf(server);
    const isThere = ({ is_there }: Record<string, unknown>) => is_there === true;
    expect(after.programs.filter(isThere)).toEqual(before.programs.filter(isThere));
    expect(after.branches.filter(isThere)).toEqual(before.branches.filter(isThere));
  });

  it('leaves a program of an import to which somebody has since added a branch', async () => {
    const { changeId } = await importRows(['MIXED,Mixed,4 Years,One,3', 'MIXED,Mixed,4 Years,Two,3']);
    const { programs } = await graphql('{ programs(filter: { search: "MIXED" }) { items { id branches { id } } } }');
    const [{ id }] = programs.items;
    const added = await server.make.branch(id);

    expect(await undo(changeId)).toEqual({
      changeId: aChange,
      undone: 2,
      left: [
        {
          kind: 'PROGRAM',
          id,
          code: 'CONFLICT',
          message: `Program ${id} has other branches, which would be deleted with it.`,
        },
      ],
      leftCount: 1,
    });
    const { program } = await graphql(`{ program(id: ${id}) { branches { id } } }`);
    expect(program.branches).toEqual([{ id: added.id }]);
  });

  it('undoes an import of thousands of records once, and lists the first thousand that are left at the second time', async () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, row) => `LARGE${row % 300},Large ${row % 300},4 Years,Branch ${row},2`,
    );
    const { changeId } = await importRows(rows);

    expect(await undo(changeId)).toEqual({ changeId: aChange, undone: 3_300, left: [], leftCount: 0 });
    expect((await graphql('{ programs(filter: { search: "LARGE" }) { count } }')).programs.count).toBe(0);
    const { left, ...again } = await undo(changeId);
    expect(again).toEqual({ changeId: null, undone: 0, leftCount: 3_300 });
    expect(left).toHaveLength(1_000);
  });

  it('is NOT_FOUND once the audit log no longer has the change', async () => {
    await server.make.program();
    const changeId = await latestChange();
    const client = await clientForTest(server.database.url);
    await pruneAuditLog(client, { before: new Date(Date.now() + 60_000), actor });
    await expect(undo(changeId)).rejects.toThrow('is no longer in the audit log');
  });

  it('leaves what is no longer in the database', async () => {
    const { id } = await server.make.program();
    const changeId = await latestChange();
    await server.database.query('DELETE FROM programs WHERE id = $1', [id]);
    expect(await undo(changeId)).toMatchObject({ undone: 0, left: [{ id, code: 'NOT_FOUND' }] });
  });

  it('rejects a change of users or keys, and what is no change', async () => {
    await graphql('mutation { createUser(input: { name: "ada", role: VIEWER }) { id } }');
    const rejected = async (changeId: string) =>
      (await server.graphql(`mutation { undoChange(changeId: "${changeId}") { undone } }`)).body.errors[0].extensions;
    expect(await rejected(await latestChange())).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { changeId: ['changeId names a change of users or keys, which cannot be undone.'] },
    });
    expect(await rejected('42')).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { changeId: ['changeId must be the identifier of a change.'] },
    });
  });
});
