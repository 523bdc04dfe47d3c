import { describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { programSnapshot } from '../support/snapshots.ts';
import { bulkOf, catalogOf } from './mutations.ts';

const server = useSharedServer();
const { many, update } = bulkOf(server);

const missing = 2_000_000_000;
const aChange = expect.stringMatching(/^[0-9a-f-]{36}$/);
const notFound = (kind: 'Program' | 'Branch', id: number) => ({
  kind: kind.toUpperCase(),
  id,
  code: 'NOT_FOUND',
  message: `${kind} ${id} does not exist.`,
});
const entriesOf = async (changeId: string | null) =>
  (
    await server.graphql(
      `query ($changeId: ID!) {
        auditLog(first: 100, filter: { changeId: $changeId }) { nodes { action subject subjectId before after } }
      }`,
      { changeId },
    )
  ).body.data.auditLog.nodes;

describe('updatePrograms', () => {
  it('updates several programs in one change, and leaves alone what is so already', async () => {
    const [one, two, three] = [
      await server.make.program(),
      await server.make.program(),
      await server.make.program({ duration: '3 Years' }),
    ];

    const result = await update('updatePrograms', [two.id, one.id, three.id, one.id], {
      duration: '3 Years',
      code: 'X',
    });

    expect(result).toEqual({ changeId: aChange, changed: 3, unchanged: 0, problems: [] });
    expect(await update('updatePrograms', [one.id, two.id], { duration: '3 Years' })).toEqual({
      changeId: null,
      changed: 0,
      unchanged: 2,
      problems: [],
    });
    const { body } = await server.graphql(
      `query ($ids: [Int!]) { programs(filter: { ids: $ids }) { items { id duration code version } } }`,
      { ids: [one.id, two.id, three.id] },
    );
    expect(body.data.programs.items).toEqual(
      [one, two, three].map(({ id }) => ({ id, duration: '3 Years', code: 'X', version: 2 })),
    );
    expect(await entriesOf(result.changeId)).toEqual(
      [three, two, one].map(({ id }) => ({
        action: 'UPDATE',
        subject: 'PROGRAM',
        subjectId: id,
        before: programSnapshot({ name: 'Physics', duration: id === three.id ? '3 Years' : '4 Years' }),
        after: programSnapshot({ name: 'Physics', duration: '3 Years', code: 'X' }),
      })),
    );
    expect((await update('updatePrograms', [one.id], { code: null })).changed).toBe(1);
  });

  it('changes nothing when one of the programs does not exist, and names each that does not', async () => {
    const [one, gone] = [await server.make.program(), await server.make.program()];
    await many('deletePrograms', [gone.id]);
    const before = await catalogOf(server);

    for (const dryRun of [true, false]) {
      expect(await update('updatePrograms', [missing, one.id, gone.id], { name: 'New' }, dryRun)).toEqual({
        changeId: null,
        changed: 0,
        unchanged: 0,
        problems: [notFound('Program', gone.id), notFound('Program', missing)],
      });
    }
    expect(await catalogOf(server)).toEqual(before);
  });

  it.each([
    [{ ids: [], input: {} }, { ids: ['ids must not be empty.'] }],
    [{ ids: Array.from({ length: 1_001 }, (_, id) => id), input: {} }, { ids: ['ids must be at most 1000.'] }],
    [{ ids: [1], input: { name: '' } }, { name: ['name must not be blank.'] }],
  ])('rejects invalid input with its problems by field', async (variables, errors) => {
    const { body } = await server.graphql(
      'mutation ($ids: [Int!]!, $input: UpdateProgramsInput!) { updatePrograms(ids: $ids, input: $input) { changed } }',
      variables,
    );
    expect(body).toMatchObject({ data: { updatePrograms: null }, errors: [{ extensions: { errors } }] });
  });
});

describe('updateBranches', () => {
  it('changes fields, years and their codes, and moves branches to another program', async () => {
    const [from, to] = [await server.make.program(), await server.make.program()];
    const branches = [
      await server.make.branch(from.id, { years: 2 }),
      await server.make.branch(to.id, { years: 4, codePrefix: 'P' }),
    ];
    const ids = branches.map(({ id }) => id);

    const result = await update('updateBranches', ids, { programId: to.id, years: 3, codePrefix: 'P' });

    expect(result).toMatchObject({ changed: 2, unchanged: 0, problems: [] });
    const { body } = await server.graphql(
      `{ program(id: ${to.id}) { branches { id version years { code } } } from: program(id: ${from.id}) { branches { id } } }`,
    );
    const years = ['P1', 'P2', 'P3'].map((code) => ({ code }));
    expect(body.data).toEqual({
      program: { branches: ids.map((id) => ({ id, version: 2, years })) },
      from: { branches: [] },
    });
    expect((await entriesOf(result.changeId))[1]).toMatchObject({
      before: { programId: from.id, years: 2, codePrefix: '' },
      after: { programId: to.id, years: 3, codePrefix: 'P' },
    });
  });
});

describe('deletePrograms, restorePrograms', () => {
  it('delete and restore programs with exactly the branches that were deleted with them, with their audit entries', async () => {
    const [one, two] = [await server.make.program(), await server.make.program()];
    const [gone, kept] = [await server.make.branch(one.id), await server.make.branch(one.id)];
    await many('deleteBranches', [gone.id]);
    const before = await catalogOf(server);

    const deletion = await many('deletePrograms', [one.id, two.id]);

    expect(deletion).toMatchObject({ changed: 2, unchanged: 0 });
    expect(await entriesOf(deletion.changeId)).toMatchObject([
      { action: 'DELETE', subject: 'BRANCH', subjectId: kept.id, before: { name: 'Optics' } },
      { action: 'DELETE', subject: 'PROGRAM', subjectId: two.id, after: null },
      { action: 'DELETE', subject: 'PROGRAM', subjectId: one.id, before: { name: 'Physics' } },
    ]);
    expect(await many('restorePrograms', [one.id, two.id])).toMatchObject({ changed: 2, unchanged: 0 });
    expect(await many('restorePrograms', [one.id, two.id])).toMatchObject({ changeId: null, changed: 0, unchanged: 2 });
    expect(await catalogOf(server)).toEqual(before);
    expect(await many('restorePrograms', [missing])).toMatchObject({ problems: [notFound('Program', missing)] });
  });
});

describe('deleteBranches, restoreBranches', () => {
  it('delete and restore branches, but none whose program is deleted', async () => {
    const [one, two] = [await server.make.program(), await server.make.program()];
    const branches = [await server.make.branch(one.id), await server.make.branch(two.id)];
    const ids = branches.map(({ id }) => id);
    expect(await many('deleteBranches', ids)).toMatchObject({ changed: 2 });
    expect(await many('deleteBranches', ids)).toMatchObject({
      problems: ids.map((id) => notFound('Branch', id)),
    });
    await many('deletePrograms', [two.id]);

    expect(await many('restoreBranches', ids)).toEqual({
      changeId: null,
      changed: 0,
      unchanged: 0,
      problems: [
        {
          kind: 'BRANCH',
          id: ids[1],
          code: 'CONFLICT',
          message: `Program ${two.id} is deleted: restore it first.`,
        },
      ],
    });
    await many('restorePrograms', [two.id]);
    expect(await many('restoreBranches', ids)).toMatchObject({ changed: 2, problems: [] });
  });
});

describe('the fingerprint of a dry run', () => {
  const send = async (field: string, ids: readonly number[], options: object) => {
    const [type, input] = field === 'updatePrograms' ? [', $input: UpdateProgramsInput!', ', input: $input'] : ['', ''];
    const { body } = await server.graphql(
      `mutation ($ids: [Int!]!, $dryRun: Boolean, $fingerprint: String${type}) {
        result: ${field}(ids: $ids, dryRun: $dryRun, fingerprint: $fingerprint${input}) { changeId changed fingerprint }
      }`,
      { ids, input: { duration: '3 Years' }, ...options },
    );
    return body.data?.result ?? body.errors[0].extensions.errors;
  };

  it.each([
    ['updatePrograms', (id: number) => update('updatePrograms', [id], { code: 'LATER' })],
    ['updatePrograms', (id: number) => update('updatePrograms', [id], { duration: '3 Years' })],
    ['deletePrograms', (id: number) => update('updatePrograms', [id], { code: 'LATER' })],
    ['deletePrograms', (id: number) => server.make.branch(id)],
  ] as const)('lets %s change what it said; nothing once a record is another', async (field, changeByOthers) => {
    const [one, two] = [await server.make.program(), await server.make.program()];
    const ids = [one.id, two.id];
    const { fingerprint } = await send(field, ids, { dryRun: true });
    await changeByOthers(two.id);
    const before = await catalogOf(server);

    const again = await send(field, ids, { fingerprint });

    expect(again).toMatchObject({ changeId: null, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(again.fingerprint).not.toBe(fingerprint);
    expect(await catalogOf(server)).toEqual(before);
    expect(await send(field, ids, { dryRun: true })).toEqual(again);
    expect(await send(field, ids, { fingerprint: again.fingerprint })).toEqual({
      changeId: aChange,
      changed: again.changed,
      fingerprint: null,
    });
  });

  it('is rejected when it is none', async () => {
    const { id } = await server.make.program();
    for (const fingerprint of ['', '\u0000', 'x'.repeat(32)]) {
      expect(await send('deletePrograms', [id], { fingerprint })).toEqual({
        fingerprint: ['fingerprint must be that of a dry run.'],
      });
    }
  });
});

describe('mutations of many records', () => {
  it('cost ten for each id', async () => {
    const ids = Array.from({ length: 1_000 }, (_, id) => id);
    const fields = Array.from({ length: 7 }, (_, field) => `f${field}: deletePrograms(ids: $ids) { changed }`);
    const { body } = await server.graphql(`mutation ($ids: [Int!]!) { ${fields.join(' ')} }`, { ids });
    expect(body.errors[0].message).toContain('The request costs 70014');
  });

  it('are a change each in one document, with an Idempotency-Key too', async () => {
    const [one, two] = [await server.make.program(), await server.make.program()];
    const { body } = await server
      .graphql(
        `mutation { a: deletePrograms(ids: [${one.id}]) { changeId } b: deletePrograms(ids: [${two.id}]) { changeId } }`,
      )
      .set('Idempotency-Key', `delete-${one.id}-${two.id}`);
    expect(body.data.a.changeId).not.toBe(body.data.b.changeId);
    expect(await entriesOf(body.data.a.changeId)).toMatchObject([{ subjectId: one.id }]);
  });

  it('show at once in responses that were cached', async () => {
    const { id } = await server.make.program();
    const name = async () => (await server.graphql(`{ program(id: ${id}) { name } }`)).body.data.program.name;
    expect([await name(), await name()]).toEqual(['Physics', 'Physics']);
    await update('updatePrograms', [id], { name: 'Chemistry' });
    expect(await name()).toBe('Chemistry');
  });

  it('that cross do not deadlock, whatever the order of their ids', async () => {
    const programs = await Promise.all(Array.from({ length: 6 }, () => server.make.program()));
    const branches = await Promise.all(programs.map(({ id }) => server.make.branch(id)));
    const ids = programs.map(({ id }) => id);
    const branchIds = branches.map(({ id }) => id);
    const [target = 0] = ids;
    for (let round = 0; round < 10; round += 1) {
      // Some wait for one of the two connections for too long (`UNAVAILABLE`).
      await Promise.allSettled([
        update('updatePrograms', ids, { name: `A ${round}` }),
        update('updatePrograms', ids.toReversed(), { name: `B ${round}` }),
        update('updateBranches', branchIds, { name: `A ${round}`, years: 1 + (round % 3) }),
        update('updateBranches', branchIds.toReversed(), { name: `B ${round}`, programId: target }),
        many('restorePrograms', ids.toReversed()),
        many('restoreBranches', branchIds),
      ]);
      await Promise.allSettled([many('deletePrograms', ids), many('deleteBranches', branchIds.toReversed())]);
      await Promise.allSettled([many('restorePrograms', ids), many('restoreBranches', branchIds)]);
    }
    expect(server.logged.filter((line) => line.includes('deadlock'))).toEqual([]);
  });
});
