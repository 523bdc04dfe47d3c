import { describe, expect, it } from 'vitest';
import { advisoryLocks } from '../../src/database/locks.ts';
import { clientForTest } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const mutate = async (field: string) => (await server.graphql(`mutation { ${field} }`)).body;

/** A transaction of somebody else that changes all records and definitions, open until the test ends. */
async function changeEverything() {
  const client = await clientForTest(server.database.url);
  await client.query(`BEGIN;
    SELECT pg_advisory_xact_lock(${advisoryLocks.deletion}, 0);
    SELECT pg_advisory_xact_lock(${advisoryLocks.deletion}, id) FROM programs;
    SELECT pg_advisory_xact_lock(${advisoryLocks.definition}, id) FROM attribute_definitions;
    SELECT FROM programs FOR UPDATE; SELECT FROM branches FOR UPDATE; SELECT FROM attribute_definitions FOR UPDATE`);
}

describe('a dry run of a change of many records', () => {
  it('takes no lock: it says what it would change while another transaction changes all that it reads', async () => {
    const define = (retired: string) =>
      mutate(`saveAttributeDefinition(input: { key: "level", label: "Level", kind: CHOICE,
        choices: [{ value: "A" }, { value: "O" ${retired} }] }) { id }`);
    await define('');
    const [program, target] = [await server.make.program(), await server.make.program()];
    const [deleted, other] = [await server.make.program(), await server.make.program()];
    const branch = await server.make.branch(program.id);
    const deletedBranch = await server.make.branch(program.id);
    const level = (value: string) => `input: { attributes: [{ key: "level", value: "${value}" }] },`;
    await mutate(`updatePrograms(ids: [${program.id}], ${level('O')}) { changed }`);
    await define(', retired: true, replacedBy: "A"');
    await mutate(`deletePrograms(ids: [${deleted.id}]) { changed }`);
    await mutate(`deleteBranches(ids: [${deletedBranch.id}]) { changed }`);
    const change = await mutate(`updatePrograms(ids: [${other.id}], input: { name: "Other" }) { changeId }`);
    const { changeId } = change.data.updatePrograms;
    await changeEverything();

    const dryRun = (field: string, ids: readonly number[], input = '') =>
      mutate(`${field}(ids: [${ids}], ${input} dryRun: true) { changed fingerprint changes { kind } }`);
    const result = (field: string) => ({
      data: { [field]: { changed: 1, fingerprint: expect.any(String), changes: expect.any(Array) } },
    });
    expect(await dryRun('updatePrograms', [program.id], 'input: { replaceRetired: ["level"] },')).toEqual(
      result('updatePrograms'),
    );
    expect(await dryRun('updatePrograms', [target.id], level('A'))).toEqual(result('updatePrograms'));
    expect(await dryRun('updateBranches', [branch.id], `input: { programId: ${target.id} },`)).toEqual(
      result('updateBranches'),
    );
    expect(await dryRun('deletePrograms', [program.id])).toEqual(result('deletePrograms'));
    expect(await dryRun('deleteBranches', [branch.id])).toEqual(result('deleteBranches'));
    expect(await dryRun('restorePrograms', [deleted.id])).toEqual(result('restorePrograms'));
    expect(await dryRun('restoreBranches', [deletedBranch.id])).toEqual(result('restoreBranches'));
    expect(await mutate(`undoChange(changeId: "${changeId}", dryRun: true) { undone }`)).toEqual({
      data: { undoChange: { undone: 1 } },
    });
    const missing = await dryRun('updateBranches', [branch.id], 'input: { programId: 2000000000 },');
    expect(missing.errors[0].message).toBe('Program 2000000000 does not exist.');
  });
});
