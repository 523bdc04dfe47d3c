import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });

const texts = ['Physics', 'Žluťoučký \u{1f984}', '"\\/<&%\u0301\u202e', 'e\u00a0\u3000f', ' % _ '];
const lines = ['', 'One.\nTwo.\tThree.\r\n\u0001\u001f\u007f\u2028', '\b\f'];
beforeAll(async () => {
  for (const [index, name] of texts.entries()) {
    const { id } = await server.make.program({ name, duration: name, ...(index % 2 === 0 && { code: `C"${index}` }) });
    for (const [place, description] of lines.slice(0, index % 4).entries()) {
      await server.make.branch(id, {
        name: `${name} ${place}`,
        description,
        years: place + 1,
        codeIsNumeric: place % 2 === 0,
      });
    }
  }
});

/** Some of these fields, in any order. */
const some = (...fields: fc.Arbitrary<string>[]) =>
  fc.shuffledSubarray(fields, { minLength: 1 }).chain((chosen) => fc.tuple(...chosen).map((names) => names.join(' ')));
const named = (...names: string[]) => names.map((name) => fc.constant(name));
const within = (name: string, selection: fc.Arbitrary<string>) => selection.map((inner) => `${name} { ${inner} }`);

const times = ['version', 'createdAt', 'updatedAt', 'deletedAt', '__typename'];
const year = some(...named('id', 'code', 'year', '__typename'));
const branch = some(
  ...named('id', 'code', 'name', 'description', 'codePrefix', 'codeIsNumeric', ...times),
  within('years', year),
);
const program = some(...named('id', 'name', 'duration', 'code', ...times), within('branches', branch));
const page = some(
  ...named('pageNumber', 'pageSize', 'totalPages', 'count', 'hasPreviousPage', 'hasNextPage', '__typename'),
  within('items', program),
);

const id = fc.integer({ min: 1, max: 8 });
const filters = [undefined, {}, { search: 'physics' }, { hasBranches: true }, { ids: [1, 3, 4] }, { search: 'fyzics' }];
const pageArguments = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom('ID_ASC', 'ID_DESC', 'NAME_ASC', 'UPDATED_DESC'),
  )
  .map(([number, size, order]) => `page: ${number}, size: ${size}, filter: $filter, orderBy: ${order}`);
const query = fc.oneof(
  fc.tuple(id, program).map(([id, selection]) => `program(id: ${id}) { ${selection} }`),
  fc.tuple(id, branch).map(([id, selection]) => `branch(id: ${id}) { ${selection} }`),
  fc.tuple(pageArguments, page).map(([given, selection]) => `programs(${given}) { ${selection} }`),
);

/** An alias takes resolvers. Its name, and the place of what is behind it, are all that may differ. */
const withoutAlias = (text: string, field: string) =>
  text.replaceAll('"it"', `"${field}"`).replace(/"column":\d+/g, '"column":0');

it('what PostgreSQL writes is byte for byte what resolvers give', async () => {
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom(...filters), async (selected, filter) => {
      const field = selected.slice(0, selected.indexOf('('));
      const operation = field === 'programs' ? 'query ($filter: ProgramFilter)' : 'query';
      const written = await server.graphql(`${operation} { ${selected} }`, { filter });
      const resolved = await server.graphql(`${operation} { it: ${selected} }`, { filter });
      expect(withoutAlias(written.text, field)).toBe(withoutAlias(resolved.text, field));
      expect(written.status).toBe(resolved.status);
    }),
    { numRuns: 100 },
  );
});

it('what is shown of a page without its items is resolved, as is a page far from the beginning', async () => {
  for (const selected of ['programs { count }', 'programs(page: 60, size: 20) { items { id } count }']) {
    const { text } = await server.graphql(`{ ${selected} }`);
    expect(text).toBe(withoutAlias((await server.graphql(`{ it: ${selected} }`)).text, 'programs'));
  }
});
