import * as fc from 'fast-check';
import { type DocumentNode, print } from 'graphql';
import { describe, expect, inject, it } from 'vitest';
import { withoutInvisible, withoutNeedless } from '../../src/validation/invisible.ts';
import { documents } from '../support/documents.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

/** Characters that are easily lost or escaped twice: spaces, quotes, combining marks, surrogate pairs. */
const specialCharacters = [...'    \u00a0\u3000\ufeff"\'\\/<&%\u0301e\u200d\u202e\u{1f600}\u{10ffff}'];
const text = (maxLength: number, others: string) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: fc.constantFrom(...specialCharacters, ...others), maxLength, size: 'max' }),
  );
const asStored = (value: string) => withoutNeedless(value).normalize('NFC').trim();
// biome-ignore lint/suspicious/noControlCharactersInRegex: it excludes them.
const onOneLine = (value: string) => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(asStored(value));
const line = (maxLength: number) => text(maxLength, '').filter(onOneLine);
const name = line(40).filter((value) => asStored(value) !== '');
const lines = (maxLength: number) =>
  text(maxLength, '\n\r\t\u0001\u0085\u2028').filter((value) => !value.includes('\u0000'));

const branch = fc.record(
  {
    name,
    years: fc.integer({ min: 1, max: 10 }),
    codePrefix: fc.option(line(6)),
    codeIsNumeric: fc.option(fc.boolean()),
    description: fc.option(lines(60)),
    overRest: fc.boolean(),
  },
  { requiredKeys: ['name', 'years', 'overRest'] },
);
const program = fc.record(
  {
    name,
    duration: name,
    code: fc.option(line(20)),
    overRest: fc.boolean(),
    branches: fc.array(branch, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['name', 'duration', 'overRest', 'branches'] },
);

/** Creates a record over REST or GraphQL. */
async function create(
  path: string,
  document: DocumentNode,
  field: string,
  { overRest, ...input }: { overRest: boolean },
) {
  if (overRest) return (await server.rest('post', path).send(input)).body;
  return (await server.graphql(print(document), { input })).body.data[field];
}

/** Reads over REST and GraphQL: the REST body must be the GraphQL data, byte for byte. */
async function readOverBoth(path: string, document: DocumentNode, field: string, variables: object): Promise<unknown> {
  const rest = await server.rest('get', path);
  const graphql = await server.graphql(print(document), variables);
  expect({ [field]: rest.body }).toEqual(graphql.body.data);
  expect(`{"data":{"${field}":${rest.text}}}`).toBe(graphql.text);
  return rest.body;
}

const readProgram = (id: number) => readOverBoth(`${programs}/${id}`, documents.retrieveProgram, 'program', { id });
const readBranch = (id: number) => readOverBoth(`${branches}/${id}`, documents.retrieveBranch, 'branch', { id });
const readPage = (page: number, size: number) =>
  readOverBoth(`${programs}?page=${page}&size=${size}`, documents.listPrograms, 'programs', { page, size });

describe('REST and GraphQL', () => {
  it('return the same data for records created over either of them', { timeout: 120_000 }, async () => {
    const pages = fc.record({ page: fc.integer({ min: 1, max: 9 }), size: fc.integer({ min: 1, max: 120 }) });
    const property = fc.asyncProperty(program, pages, async ({ branches: branchInputs, ...fields }, { page, size }) => {
      const created = await create(programs, documents.createProgram, 'createProgram', fields);
      const normalized = {
        name: asStored(fields.name),
        duration: asStored(fields.duration),
      };
      expect(created).toEqual({ id: expect.any(Number), ...normalized });

      const summaries: object[] = [];
      for (const given of branchInputs) {
        const input = { programId: created.id, ...given };
        const summary = await create(branches, documents.createBranch, 'createBranch', input);
        const description = (given.description ?? '').replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').normalize('NFC');
        expect(summary).toEqual({ id: expect.any(Number), name: asStored(given.name), description });
        summaries.push(summary);

        const prefix = withoutInvisible(given.codePrefix ?? '')
          .normalize('NFC')
          .trim();
        const years = Array.from({ length: given.years }, (_, index) => ({
          id: expect.any(Number),
          code: prefix + ((given.codeIsNumeric ?? true) ? String(index + 1) : 'ABCDEFGHIJ'.charAt(index)),
          year: index + 1,
        }));
        expect(await readBranch(summary.id)).toEqual({ ...summary, years });
      }
      expect(await readProgram(created.id)).toEqual({ ...created, branches: summaries });
      await readPage(page, size);
    });
    await fc.assert(property, { seed: 20_261_121, numRuns: inject('thorough') ? 30 : 10 });
  });

  it('return the same ping, without a statement once the caller is cached', async () => {
    for (const _ of ['uncached', 'cached']) {
      server.statements.length = 0;
      expect(await readOverBoth('/ping', documents.ping, 'ping', {})).toEqual({ status: 'ok' });
    }
    expect(server.statements).toEqual([]);
  });
});
