import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { bulkOf } from '../bulk/mutations.ts';
import { importFile } from '../import-export/import/import-file.ts';
import { useSharedServer } from '../support/server.ts';
import { attributes, definitionsOf } from './definitions.ts';

/*
 * Definitions and writes in any order, beside a plain model: what a write sets is judged and put into its form, and what
 * is there stays. A dry run must say what the run says.
 */

const server = useSharedServer();
const { define, remove } = definitionsOf(server);
const { many, update, undo } = bulkOf(server);

const count = 5;
const keys = ['a', 'b'] as const;
type Key = (typeof keys)[number];
type Values = Partial<Record<Key, string>>;

interface Defined {
  readonly kind: 'TEXT' | 'CHOICE' | 'WHOLE_NUMBER' | 'YES_NO';
  readonly required: boolean;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly retired: boolean }[];
}

/** What becomes of a value; undefined when it is refused. */
function settled(defined: Defined | undefined, value: string, isFile: boolean): string | undefined {
  switch (defined?.kind) {
    case 'WHOLE_NUMBER':
      return /^[+-]?\d+$/.test(value) ? String(Number(value)) : undefined;
    case 'YES_NO':
      return { ja: 'true', true: 'true', no: 'false', '1': 'true' }[value];
    case 'CHOICE': {
      const choice = defined.choices.find((one) => one.value === value || (isFile && one.label === value));
      return choice === undefined || (choice.retired && !isFile) ? undefined : choice.value;
    }
    default:
      return value;
  }
}

const value = fc.constantFrom('x', 'y', 'Label x', '007', '7', '1', 'ja', 'no', 'true', 'thing');
const wanted = fc.dictionary(fc.constantFrom(...keys), fc.option(value, { freq: 4 }), { minKeys: 1, maxKeys: 2 });
const choice = (name: string) =>
  fc.record({ value: fc.constant(name), label: fc.constantFrom(name, `Label ${name}`), retired: fc.boolean() });
const definition = fc.record({
  kind: fc.constantFrom('TEXT', 'CHOICE', 'WHOLE_NUMBER', 'YES_NO'),
  required: fc.boolean(),
  choices: fc.tuple(choice('x'), choice('y')),
});
const step = fc.record({
  how: fc.constantFrom('define', 'remove', 'create', 'one', 'many', 'many', 'file', 'file', 'undo', 'restore', 'copy'),
  key: fc.constantFrom(...keys),
  definition,
  wanted,
  places: fc.uniqueArray(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: 3 }),
});

const header = 'program_code,program_name,program_duration,program_attr:a,program_attr:b';

it('a write is judged by the definitions of its time and leaves what is there, one, many, dry and in a file', {
  timeout: 240_000,
}, async () => {
  const ids: number[] = [];
  const records: Values[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await server.make.program({ name: `P${index}`, code: `C${index}` })).id);
    records.push({});
  }
  const definitions: Partial<Record<Key, Defined>> = {};

  /** What a record has after a change; undefined when it is refused. */
  const after = (values: Values, given: Partial<Record<Key, string | null>>, isFile: boolean): Values | undefined => {
    const result: Values = { ...values };
    for (const key of keys) {
      const set = given[key];
      if (set === undefined) continue;
      if (set === null) {
        if (definitions[key]?.required === true && values[key] !== undefined) return undefined;
        delete result[key];
        continue;
      }
      const stored = settled(definitions[key], set, isFile);
      if (stored === undefined && values[key] !== set) return undefined;
      // A retired choice stays where it is.
      result[key] = stored ?? set;
    }
    return result;
  };
  const lacks = (values: Values): boolean =>
    keys.some((key) => definitions[key]?.required === true && values[key] === undefined);
  const stored = async (): Promise<Values[]> =>
    (await server.database.query(`SELECT attributes FROM programs WHERE id = ANY ('{${ids}}') ORDER BY id`)).map(
      ({ attributes: values }) => values as Values,
    );

  for (const [index, { how, key, definition: given, wanted: values, places }] of fc
    .sample(step, { numRuns: inject('thorough') ? 120 : 25, seed: 63 })
    .entries()) {
    const chosen = places.map((place) => ids[place] ?? 0);
    const input = { attributes: attributes(values as Record<string, string | null>) };
    const next = places.map((place) => after(records[place] ?? {}, values, how === 'file'));
    const isRefused = next.some((one) => one === undefined);
    const take = (all: readonly (Values | undefined)[]): void => {
      for (const [at, place] of places.entries()) records[place] = all[at] ?? {};
    };
    if (how === 'define') {
      await define({ key, ...given, ofPrograms: true });
      definitions[key] = given as Defined;
    } else if (how === 'remove') {
      if (definitions[key] !== undefined) await remove(key);
      delete definitions[key];
    } else if (how === 'create') {
      const made = after({}, values, false);
      const { body } = await server.graphql(
        'mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id attributes { key value } } }',
        {
          input: { name: 'new', duration: '1', ...input },
        },
      );
      const isPossible = made !== undefined && !lacks(made);
      expect(body.errors === undefined, JSON.stringify([index, definitions, values])).toBe(isPossible);
      if (isPossible) expect(body.data.createProgram.attributes).toEqual(attributes(sorted(made)));
    } else if (how === 'one') {
      const [id = 0] = chosen;
      const { body } = await server.graphql(
        'mutation ($id: Int!, $input: UpdateProgramInput!) { updateProgram(id: $id, input: $input) { id } }',
        { id, input },
      );
      expect(body.errors === undefined, JSON.stringify([index, definitions, values])).toBe(next[0] !== undefined);
      if (next[0] !== undefined) records[places[0] ?? 0] = next[0];
    } else if (how === 'many') {
      const dry = await update('updatePrograms', chosen, input, true);
      const run = await update('updatePrograms', chosen, input);
      expect({ ...dry, changeId: run.changeId }).toEqual(run);
      expect(run.problems.length > 0, JSON.stringify([index, definitions, values, records])).toBe(isRefused);
      if (!isRefused) take(next);
    } else if (how === 'file') {
      // An empty cell of a column removes a value.
      const whole = { a: values['a'] ?? null, b: values['b'] ?? null };
      const nextOf = places.map((place) => after(records[place] ?? {}, whole, true));
      const lines = places.map((place) => `C${place},P${place},4 Years,${whole.a ?? ''},${whole.b ?? ''}`);
      const send = async (dryRun: string) =>
        (await importFile(server, `${[header, ...lines].join('\n')}\n`, { query: { update: 'true', dryRun } })).body;
      const dry = await send('true');
      const run = await send('false');
      expect(dry.problems).toEqual(run.problems);
      expect(run.outcome === 'rejected', JSON.stringify([index, definitions, whole, records, run.problems])).toBe(
        nextOf.some((one) => one === undefined),
      );
      if (run.outcome === 'imported') take(nextOf);
    } else if (how === 'undo') {
      const { changeId } = await update('updatePrograms', chosen, input);
      if (changeId !== null) expect(await undo(changeId)).toMatchObject({ leftCount: 0 });
    } else if (how === 'restore') {
      await many('deletePrograms', chosen);
      expect(await many('restorePrograms', chosen)).toMatchObject({ changed: chosen.length, problems: [] });
    } else {
      const { body } = await server.graphql(
        `mutation { copyProgram(id: ${chosen[0]}, input: {}) { attributes { key value } } }`,
      );
      expect(body.data.copyProgram.attributes).toEqual(attributes(sorted(records[places[0] ?? 0] ?? {})));
    }
    expect(await stored(), JSON.stringify([index, how, definitions, values])).toEqual(records);
  }
});

const sorted = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
