import fc from 'fast-check';
import { beforeAll, expect, inject, it } from 'vitest';
import { bulkOf } from '../bulk/mutations.ts';
import { importFile } from '../import-export/import/import-file.ts';
import { emptyCatalog } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const { update, undo } = bulkOf(server);

const kinds = ['Program', 'Branch'] as const;
type Kind = (typeof kinds)[number];
const count = 4;

/** Each program has one branch; both have the same ids. */
async function createRecords(): Promise<void> {
  await server.database.query(emptyCatalog);
  await server.database.query(
    `INSERT INTO programs (name, duration, code) SELECT 'Program ' || n, '1', 'P' || n FROM generate_series(1, ${count}) n`,
  );
  await server.database.query(`INSERT INTO branches (program_id, name, code) SELECT id, 'Branch', 'B' FROM programs`);
  await server.database.query('INSERT INTO branch_years (branch_id, year, code) SELECT id, 1, 1 FROM branches');
}
beforeAll(createRecords);

const key = fc.constantFrom('level', 'Level', '__proto__', 'constructor', 'a.b-c_9', 'x'.repeat(40), '0', '-');
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('"', '\\', "'=1", 'a,b;c', '{}', 'null'),
  )
  .map((value) => value.normalize('NFC').trim())
  .filter((value) => /^[^\p{C}\u2028\u2029]+$/u.test(value));
const id = fc.integer({ min: 1, max: count });
const changes = fc.uniqueArray(fc.tuple(key, fc.option(text)), { selector: ([name]) => name, maxLength: 5 });
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  ids: fc.uniqueArray(id, { minLength: 1 }),
  how: fc.constantFrom('one', 'many', 'undo'),
  changes,
});

type Model = Record<Kind, Map<string, string>[]>;

const shown = (model: Model[Kind]) =>
  model.map((attributes) => [...attributes].sort().map(([name, value]) => ({ key: name, value })));

async function stored(): Promise<Record<Kind, unknown>> {
  const { body } = await server.graphql(`{
    programsConnection { nodes { attributes { key value } branches { attributes { key value } } } }
  } # ${Math.random()}`);
  const { nodes } = body.data.programsConnection;
  return {
    Program: nodes.map(({ attributes }: { attributes: unknown }) => attributes),
    Branch: nodes.flatMap(({ branches }: { branches: { attributes: unknown }[] }) =>
      branches.map(({ attributes }) => attributes),
    ),
  };
}

const file = async (format: string): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await server.get(`/export/catalog.${format}`);
  return new Uint8Array(await response.arrayBuffer());
};

const types = {
  csv: 'text/csv',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

it('attributes are those of a model after random changes, bulk changes and undos, and after an export and import in each format', {
  timeout: 120_000,
}, async () => {
  const model: Model = {
    Program: Array.from({ length: count }, () => new Map()),
    Branch: Array.from({ length: count }, () => new Map()),
  };
  for (const { kind, ids, how, changes } of fc.sample(step, { numRuns: inject('thorough') ? 60 : 15, seed: 11 })) {
    const attributes = changes.map(([name, value]) => ({ key: name, value }));
    const targets = how === 'one' ? ids.slice(0, 1) : ids;
    const before = how === 'undo' ? JSON.stringify(await stored()) : '';
    if (how === 'one') {
      const { body } = await server.graphql(
        `mutation ($id: Int!, $input: Update${kind}Input!) { update${kind}(id: $id, input: $input) { id } }`,
        { id: targets[0], input: { attributes } },
      );
      expect(body.errors).toBeUndefined();
    } else {
      const field = kind === 'Program' ? 'updatePrograms' : 'updateBranches';
      const { changeId, problems } = await update(field, targets, { attributes });
      expect(problems).toEqual([]);
      if (how === 'undo') {
        if (changeId !== null) await undo(changeId);
        expect(JSON.stringify(await stored())).toBe(before);
        continue;
      }
    }
    for (const target of targets) {
      const record = model[kind][target - 1];
      for (const [name, value] of changes) {
        if (value === null) record?.delete(name);
        else record?.set(name, value);
      }
    }
    expect(await stored()).toEqual({ Program: shown(model.Program), Branch: shown(model.Branch) });
  }

  const before = await stored();
  const csv = Buffer.from(await file('csv')).toString();
  for (const [format, type] of Object.entries(types)) {
    const exported = await file(format);
    const again = await importFile(server, exported, { type, query: { update: 'true' } });
    expect(again.body).toMatchObject({ outcome: 'imported', programs: { unchanged: count }, conflictCount: 0 });
    await server.database.query(emptyCatalog);
    expect((await importFile(server, exported, { type })).body).toMatchObject({ problems: [], conflicts: [] });
    expect(await stored()).toEqual(before);
    expect(Buffer.from(await file('csv')).toString()).toBe(csv);
  }
});
