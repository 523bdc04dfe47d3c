import { beforeAll, describe, expect, it } from 'vitest';
import { bulkOf } from '../bulk/mutations.ts';
import { subscribe } from '../support/event-stream.ts';
import { useSharedServer } from '../support/server.ts';
import { programSnapshot } from '../support/snapshots.ts';
import { mutationsOf } from './record-mutations.ts';

const server = useSharedServer();
const { undo, latestChange } = bulkOf(server);
const fields = `id name duration code version deletedAt attributes { key value } branches {
  id name description code codePrefix codeIsNumeric version attributes { key value } years { id year code }
}`;
const { create, update, remove, read, recorded, notFound } = mutationsOf(server, 'Program', fields);
const branches = mutationsOf(server, 'Branch', 'id');

const copy = async (id: number, input: object = {}, key?: string) => {
  const mutation = `mutation ($id: Int!, $input: CopyProgramInput!) { copyProgram(id: $id, input: $input) { ${fields} } }`;
  const request = server.graphql(mutation, { id, input });
  return (await (key === undefined ? request : request.set('idempotency-key', key))).body;
};

const attributes = [{ key: 'level', value: 'Bachelor' }];

async function createOriginal() {
  const { id } = (await create({ name: 'Physics', duration: '4 Years', code: 'PHY', attributes })).data.createProgram;
  const optics = { programId: id, name: 'Optics', code: 'OPT', description: 'Light\n', codePrefix: 'O', attributes };
  await branches.create({ ...optics, years: 3, codeIsNumeric: false });
  const { data } = await branches.create({ programId: id, name: 'Gone', years: 1 });
  await branches.create({ programId: id, name: 'Acoustics', years: 2 });
  await branches.remove(data.createBranch.id);
  return read(id);
}

interface Copied {
  readonly branches: readonly { readonly years: readonly object[] }[];
}

/** Without the identifiers, which are never those of the original. */
const withoutIds = (program: Copied) => ({
  ...program,
  id: 0,
  branches: program.branches.map((branch) => ({
    ...branch,
    id: 0,
    years: branch.years.map((year) => ({ ...year, id: 0 })),
  })),
});

const withoutCodes = (program: Copied) => ({
  ...program,
  code: null,
  branches: program.branches.map((branch) => ({ ...branch, code: null })),
});

describe('copyProgram', () => {
  it('creates a program as another, with its branches, their years and attributes, and without codes', async () => {
    const original = await createOriginal();

    const { data, errors, extensions } = await copy(original.id);

    expect(errors).toBeUndefined();
    expect(extensions?.warnings).toBeUndefined();
    expect(withoutIds(data.copyProgram)).toEqual(withoutIds(withoutCodes(original)));
    expect(await read(data.copyProgram.id)).toEqual(data.copyProgram);
    expect(await read(original.id)).toEqual(original);
    const ids = [original, data.copyProgram].flatMap((program) => program.branches.map(({ id }: { id: number }) => id));
    expect(new Set(ids).size).toBe(4);
  });

  it('takes name, duration and code of the copy, keeps the codes of branches when asked, and warns of equal ones', async () => {
    const original = await createOriginal();
    const other = await server.make.program({ name: 'Physics, evening' });

    const input = { name: ' Physics, evening ', duration: '5 Years', code: 'PHY-E', keepBranchCodes: true };
    const { data, extensions } = await copy(original.id, input);

    expect(withoutIds(data.copyProgram)).toEqual(
      withoutIds({ ...original, name: 'Physics, evening', duration: '5 Years', code: 'PHY-E' }),
    );
    expect(extensions.warnings).toEqual([
      { message: expect.any(String), path: ['copyProgram'], field: 'name', ids: [other.id] },
    ]);
  });

  it('has an audit entry of each record, which are one change, and is undone and done again as one', async () => {
    const original = await createOriginal();
    const { data } = await copy(original.id, { code: 'PHY-2' });
    const { id } = data.copyProgram;
    const [optics, acoustics] = data.copyProgram.branches;
    const changeId = await latestChange();

    const entries = await server.database.query(
      `SELECT action, subject, subject_id AS id, before, after FROM audit_entries WHERE change_id = $1 ORDER BY id`,
      [changeId],
    );
    const stored = { level: 'Bachelor' };
    const plain = { programId: id, code: null, attributes: {} };
    const one = { action: 'create', before: null };
    expect(entries).toEqual([
      {
        ...one,
        subject: 'Program',
        id,
        after: programSnapshot({ name: 'Physics', duration: '4 Years', code: 'PHY-2', attributes: stored }),
      },
      {
        ...one,
        subject: 'Branch',
        id: optics.id,
        after: {
          ...plain,
          name: 'Optics',
          description: 'Light\n',
          codePrefix: 'O',
          codeIsNumeric: false,
          attributes: stored,
          years: 3,
        },
      },
      {
        ...one,
        subject: 'Branch',
        id: acoustics.id,
        after: { ...plain, name: 'Acoustics', description: '', codePrefix: '', codeIsNumeric: true, years: 2 },
      },
    ]);

    const undone = await undo(changeId);
    expect(undone).toMatchObject({ undone: 3, leftCount: 0 });
    expect(await read(id)).toBeNull();
    expect(await undo(undone.changeId)).toMatchObject({ undone: 3, leftCount: 0 });
    expect((await read(id)).branches).toHaveLength(2);
    expect(await read(original.id)).toEqual(original);
  });

  it('is shown to subscribers, the program before its branches', async () => {
    const original = await createOriginal();
    const stream = await subscribe(
      server,
      'subscription { catalogChanged { action program { name } branch { name years { year } } } }',
    );

    await copy(original.id, { name: 'Copied' });

    const years = (count: number) => Array.from({ length: count }, (_, index) => ({ year: index + 1 }));
    expect([await stream.result(), await stream.result(), await stream.result()]).toEqual(
      [
        { action: 'CREATE', program: { name: 'Copied' }, branch: null },
        { action: 'CREATE', program: { name: 'Copied' }, branch: { name: 'Optics', years: years(3) } },
        { action: 'CREATE', program: { name: 'Copied' }, branch: { name: 'Acoustics', years: years(2) } },
      ].map((catalogChanged) => ({ data: { catalogChanged } })),
    );
  });

  it('with an idempotency key creates one copy', async () => {
    const original = await createOriginal();

    const first = await copy(original.id, { name: 'Once' }, 'one-copy');
    expect(await copy(original.id, { name: 'Once' }, 'one-copy')).toEqual(first);

    expect(await recorded(first.data.copyProgram.id)).toEqual(['create']);
    const { body } = await server.graphql('{ programs(filter: { search: "Once" }) { count } }');
    expect(body.data.programs.count).toBe(1);
  });

  it('rejects a program that does not exist or is deleted, and invalid fields', async () => {
    const { id } = await server.make.program();
    await remove(id);

    expect(await copy(id)).toEqual(notFound(id));
    expect(await copy(2_147_483_647)).toEqual(notFound(2_147_483_647));
    expect((await copy(-1, { name: ' ', code: 'a\nb' })).errors[0].extensions.errors).toEqual({
      id: ['id must not be negative.'],
      name: ['name must not be blank.'],
      code: ['code must be on one line, without control characters.'],
    });
    expect((await update(id, {})).data.updateProgram).toBeNull();
  });
});

describe('a program with a thousand branches', () => {
  let id: number;
  beforeAll(async () => {
    id = (await server.make.program()).id;
    await server.database.query(
      `INSERT INTO branches (program_id, name) SELECT $1, 'Branch ' || n FROM generate_series(1, 1000) AS n`,
      [id],
    );
    await server.database.query('CREATE TABLE statement_times (time text)');
    await server.database.query(`CREATE FUNCTION note_time() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO statement_times VALUES (current_setting('statement_timeout')); RETURN NULL; END $$`);
    await server.database.query(
      'CREATE TRIGGER noted AFTER INSERT OR UPDATE ON programs FOR EACH STATEMENT EXECUTE FUNCTION note_time()',
    );
  });

  it.each([
    ['copyProgram', ', input: {}'],
    ['deleteProgram', ''],
    ['restoreProgram', ''],
  ])('has the time of a change of many records in %s, with an idempotency key too', async (field, input) => {
    const mutation = `mutation { ${field}(id: ${id}${input}) { id } }`;
    const one = (await server.make.program()).id;
    const small = `mutation { ${field}(id: ${one}${input}) { id } }`;
    if (field === 'restoreProgram') await server.graphql(`mutation { deleteProgram(id: ${one}) { id } }`);
    await server.database.query('DELETE FROM statement_times');

    expect((await server.graphql(small)).body.errors).toBeUndefined();
    expect((await server.graphql(mutation)).body.errors).toBeUndefined();

    expect(await server.database.query('SELECT time FROM statement_times')).toEqual([
      { time: '2s' },
      { time: '10min' },
    ]);
    if (field !== 'copyProgram') return;
    expect((await server.graphql(mutation).set('idempotency-key', field)).body.errors).toBeUndefined();
    expect(await server.database.query('SELECT time FROM statement_times OFFSET 2')).toEqual([{ time: '10min' }]);
  });
});
