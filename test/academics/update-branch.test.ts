import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

interface Year {
  readonly id: number;
  readonly year: number;
  readonly code: string;
}
const fields =
  'id name description codePrefix codeIsNumeric version createdAt updatedAt years { id code year } program { id }';
const mutation = `mutation ($id: Int!, $input: UpdateBranchInput!) { updateBranch(id: $id, input: $input) { ${fields} } }`;
const update = async (id: number, input: object) => (await server.graphql(mutation, { id, input })).body;
const updated = async (id: number, input: object) => {
  const { data, errors } = await update(id, input);
  expect(errors).toBeUndefined();
  return data.updateBranch;
};
const read = async (id: number) =>
  (await server.graphql(`query ($id: Int!) { branch(id: $id) { ${fields} } }`, { id })).body.data.branch;
const branchesOf = async (id: number) =>
  (await server.rest('get', `/api/academics/programs/${id}`)).body.branches.map((branch: { id: number }) => branch.id);
const entriesOf = (id: number) =>
  server.database.query(
    "SELECT action, before, after FROM audit_entries WHERE subject = 'Branch' AND subject_id = $1 ORDER BY id",
    [id],
  );
const codesOf = (years: readonly Year[]) => years.map(({ code }) => code);
const idsOf = (years: readonly Year[]) => years.map(({ id }) => id);

describe('the years of a branch', () => {
  it('get new codes, and those that stay keep their ids', async () => {
    const { id } = await server.make.branch((await server.make.program()).id, { codePrefix: 'L' });
    const [first, second] = (await read(id)).years;

    const after = await updated(id, { years: 2, codePrefix: ' X ', codeIsNumeric: false });

    expect(after).toMatchObject({
      version: 2,
      years: [
        { ...first, code: 'XA' },
        { ...second, code: 'XB' },
      ],
    });
    expect(await read(id)).toEqual(after);
    expect((await server.rest('get', `/api/academics/branches/${id}`)).body.years).toEqual(after.years);
    // By each field alone.
    expect(codesOf((await updated(id, { codeIsNumeric: true })).years)).toEqual(['X1', 'X2']);
    expect(codesOf((await updated(id, { codePrefix: 'Y' })).years)).toEqual(['Y1', 'Y2']);
    expect(codesOf((await updated(id, { years: 1 })).years)).toEqual(['Y1']);
  });

  it('are after any updates those of a branch that is created so', async () => {
    const settings = {
      years: fc.integer({ min: 1, max: 10 }),
      codePrefix: fc.constantFrom('', 'L', ' M ', 'Ä', 'x'.repeat(20)),
      codeIsNumeric: fc.boolean(),
    };
    const program = await server.make.program();
    await fc.assert(
      fc.asyncProperty(
        fc.record(settings),
        fc.array(fc.record(settings, { requiredKeys: [] }), { minLength: 1, maxLength: 4 }),
        async (created, updates) => {
          const { id } = await server.make.branch(program.id, created);
          let { years, version } = await read(id);
          for (const input of updates) {
            const after = await updated(id, input);
            const staying = Math.min(years.length, after.years.length);
            expect(idsOf(after.years).slice(0, staying)).toEqual(idsOf(years).slice(0, staying));
            expect(after.version - version).toBeLessThanOrEqual(1);
            ({ years, version } = after);
          }
          const final = Object.assign({}, created, ...updates);
          const fresh = await read((await server.make.branch(program.id, final)).id);
          expect(codesOf(years)).toEqual(codesOf(fresh.years));
          const { codePrefix, codeIsNumeric } = await read(id);
          expect({ codePrefix, codeIsNumeric }).toEqual({
            codePrefix: fresh.codePrefix,
            codeIsNumeric: fresh.codeIsNumeric,
          });
        },
      ),
      { numRuns: 8 },
    );
  });

  it('are in the audit log, before and after', async () => {
    const program = await server.make.program();
    const { id } = await server.make.branch(program.id, { name: 'Optics', codePrefix: 'L' });
    await updated(id, { years: 4, codeIsNumeric: false });
    const before = {
      programId: program.id,
      code: null,
      name: 'Optics',
      description: '',
      codePrefix: 'L',
      attributes: {},
    };
    expect(await entriesOf(id)).toEqual([
      { action: 'create', before: null, after: { ...before, codeIsNumeric: true, years: 3 } },
      {
        action: 'update',
        before: { ...before, codeIsNumeric: true, years: 3 },
        after: { ...before, codeIsNumeric: false, years: 4 },
      },
    ]);
  });

  it('are part of the current branch in a CONFLICT, and nothing changes', async () => {
    const { id } = await server.make.branch((await server.make.program()).id);
    const before = await updated(id, { years: 4 });
    const { errors } = await update(id, { years: 2, expectedVersion: 1 });
    expect(errors[0].extensions).toMatchObject({ code: 'CONFLICT', current: { id, years: 4, version: 2 } });
    expect(await read(id)).toEqual(before);
  });

  it('change once for concurrent updates, and end as one of them says', async () => {
    const { id } = await server.make.branch((await server.make.program()).id, { codePrefix: 'L' });
    const lengths = [1, 10, 4, 7, 2, 9];
    await Promise.all(lengths.map((years) => updated(id, { years, codePrefix: `${years}-` })));
    const { years, codePrefix } = await read(id);
    expect(codesOf(years)).toEqual(
      Array.from({ length: Number.parseInt(codePrefix, 10) }, (_, k) => codePrefix + (k + 1)),
    );
  });

  it('send one change event to subscribers', async () => {
    const program = await server.make.program();
    const { id } = await server.make.branch(program.id);
    const query = 'subscription { catalogChanged { action branchId branch { codePrefix years { code } } } }';
    const stream = await subscribe(server, query);
    await updated(id, { years: 2, codePrefix: 'N' });
    await updated(id, { name: 'Photonics' });
    const event = (codes: string[]) => ({
      data: {
        catalogChanged: {
          action: 'UPDATE',
          branchId: id,
          branch: { codePrefix: 'N', years: codes.map((code) => ({ code })) },
        },
      },
    });
    expect([await stream.result(), await stream.result()]).toEqual([event(['N1', 'N2']), event(['N1', 'N2'])]);
  });
});

describe('a branch that moves to another program', () => {
  it('keeps everything else, and both programs show it at once, over REST and GraphQL', async () => {
    const [from, to] = [await server.make.program(), await server.make.program()];
    const { id } = await server.make.branch(from.id, { codePrefix: 'L' });
    const sibling = await server.make.branch(from.id);
    const before = await read(id);
    expect([await branchesOf(from.id), await branchesOf(to.id)]).toEqual([[id, sibling.id], []]);
    expect(await updated(id, { programId: from.id })).toEqual(before);

    const after = await updated(id, { programId: to.id });

    expect(after).toEqual({ ...before, program: { id: to.id }, version: 2, updatedAt: after.updatedAt });
    expect([await branchesOf(from.id), await branchesOf(to.id)]).toEqual([[sibling.id], [id]]);
    expect(await read(id)).toEqual(after);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: 'update',
      before: { programId: from.id },
      after: { programId: to.id },
    });
  });

  it('is deleted and restored with its new program, not with its old one', async () => {
    const [from, to] = [await server.make.program(), await server.make.program()];
    const { id } = await server.make.branch(from.id);
    await updated(id, { programId: to.id });
    const mutate = (text: string) => server.graphql(`mutation { ${text} { id } }`);
    await mutate(`deleteProgram(id: ${from.id})`);
    expect(await branchesOf(to.id)).toEqual([id]);
    await mutate(`deleteProgram(id: ${to.id})`);
    await mutate(`restoreProgram(id: ${from.id})`);
    expect(await branchesOf(from.id)).toEqual([]);
    await mutate(`restoreProgram(id: ${to.id})`);
    expect(await branchesOf(to.id)).toEqual([id]);
  });

  it('that was deleted by itself, and restored, is restored with its program', async () => {
    const program = await server.make.program();
    const { id } = await server.make.branch(program.id);
    const mutate = async (field: string, of: number) =>
      (await server.graphql(`mutation { ${field}(id: ${of}) { id version } }`)).body.data[field];
    await mutate('deleteBranch', id);
    expect(await branchesOf(program.id)).toEqual([]);
    expect(await mutate('restoreBranch', id)).toEqual({ id, version: 2 });
    expect(await branchesOf(program.id)).toEqual([id]);
    await mutate('deleteProgram', program.id);
    await mutate('restoreProgram', program.id);
    expect(await branchesOf(program.id)).toEqual([id]);
  });

  it('is a NOT_FOUND, and changes nothing, when the program does not exist or is deleted', async () => {
    const [from, deleted] = [await server.make.program(), await server.make.program()];
    const { id } = await server.make.branch(from.id);
    const before = await read(id);
    await server.graphql(`mutation { deleteProgram(id: ${deleted.id}) { id } }`);
    for (const programId of [deleted.id, 2_147_483_647]) {
      const { errors } = await update(id, { programId, name: 'Moved', years: 1 });
      expect(errors[0]).toMatchObject({
        message: `Program ${programId} does not exist.`,
        extensions: { code: 'NOT_FOUND' },
      });
    }
    expect(await read(id)).toEqual(before);
    expect((await update(99_999, { programId: 2_147_483_647 })).errors[0].message).toBe('Branch 99999 does not exist.');
  });

  it('is an event for the subscribers of either program', async () => {
    const [from, to] = [await server.make.program(), await server.make.program()];
    const { id } = await server.make.branch(from.id);
    const query =
      'subscription ($id: Int!) { catalogChanged(programId: $id) { action programId previousProgramId branchId } }';
    const streams = [
      await subscribe(server, query, { variables: { id: from.id } }),
      await subscribe(server, query, { variables: { id: to.id } }),
    ] as const;
    await updated(id, { programId: to.id, years: 1 });
    const moved = { action: 'UPDATE', programId: to.id, previousProgramId: from.id, branchId: id };
    for (const stream of streams) expect(await stream.result()).toEqual({ data: { catalogChanged: moved } });
  });
});
